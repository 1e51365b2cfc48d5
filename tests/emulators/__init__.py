"""Google's emulators: the real protocols of Firestore and Pub/Sub, without a cloud."""
