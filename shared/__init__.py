"""The product: models, rules, doors and acts. It never imports functions or infra."""
