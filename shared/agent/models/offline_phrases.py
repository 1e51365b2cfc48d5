"""What the offline model says, in both languages. It states what was done and found, and promises nothing."""

from typing import Literal

Phrase = Literal[
    "help",
    "thanks",
    "missing",
    "failed",
    "denied",
    "found",
    "found_nothing",
    "which_note",
    "which_task",
    "no_note",
    "no_task",
    "no_notes",
    "tasks",
    "tasks_done",
    "no_tasks",
    "no_done",
    "task_added",
    "tasks_added",
    "tasks_left",
    "task_done",
    "task_open",
    "task_dropped",
    "noted",
    "tagged",
    "bad_tag",
    "titled",
    "deleted",
    "research",
    "digest",
    "digest_title",
    "digest_empty",
    "day",
    "days",
    "saved",
    "nothing_to_save",
    "recent",
    "sum",
    "time",
    "web",
    "web_empty",
    "page",
    "page_empty",
    "more",
]

ENGLISH: dict[Phrase, str] = {
    "help": (
        "I am Memex's built-in helper. I work by fixed rules, without a language model: I quote your notes, run the "
        "tools that a plain request names, and make nothing up.\n\n"
        "You can say, for example:\n\n"
        "- What did I note about pears?\n"
        "- Note that the pears ripen in August\n"
        "- Add a task to call the library · What are my tasks? · Mark call the library as done\n"
        "- Tag my last note garden · Change the title of my last note to Pears · Delete my last note\n"
        "- Research how pears are grown at a wall\n"
        "- Digest of my notes this week\n"
        "- What is 17 % of 340? · What time is it?\n\n"
        "For free conversation, set MEMEX_GEMINI_API_KEY, or MEMEX_OPENAI_URL and MEMEX_CHAT_MODEL, and start again."
    ),
    "thanks": "You are welcome.",
    "missing": "I can't do that: the tool {tool} is switched off here. You can switch tools on in Settings.",
    "failed": "That did not work: {message}",
    "denied": "You said no, so that was not done.",
    "found": "In your notes:",
    "found_nothing": "I found nothing in your notes about “{what}”. I look for words, so another word may help.",
    "which_note": "Several notes fit “{what}”. Which one do you mean? Name it by its title.",
    "which_task": "Several tasks fit “{what}”. Which one do you mean? Name it in full.",
    "no_note": "I found no note about “{what}”, so I changed nothing.",
    "no_task": "I found no task “{what}”, so I changed nothing.",
    "no_notes": "You have no notes yet.",
    "tasks": "Your open tasks ({count}):",
    "tasks_done": "Your finished tasks ({count}):",
    "no_tasks": "You have no open tasks.",
    "no_done": "You have no finished tasks.",
    "task_added": "Added to your tasks: {what}",
    "tasks_added": "Added to your tasks ({count}):",
    "tasks_left": "The last {count} were too many for one request and were not added, from “{what}” on.",
    "task_done": "Done: {what}",
    "task_open": "Open again: {what}",
    "task_dropped": "Dropped: {what}",
    "noted": "Noted: {link}",
    "tagged": "{link} now has the tags {tags}.",
    "bad_tag": "“{what}” can't be a tag: a tag needs letters or digits, at most 64.",
    "titled": "The title is now {link}.",
    "deleted": "{what} is in the bin. It can be restored from there for 30 days.",
    "research": "Research on {link} has been asked for. Its report will stand among your notes.",
    "digest": "Your notes of {period} ({count}):",
    "digest_title": "Digest of {period}",
    "digest_empty": "There are no notes of {period}.",
    "day": "the last day",
    "days": "the last {days} days",
    "saved": "Saved as a note: {link}",
    "nothing_to_save": "There is no answer yet that could be saved.",
    "recent": "Your last notes:",
    "sum": "{sum} {sign} {result}",
    "time": "It is {time}.",
    "web": "Found in the web:",
    "web_empty": "The web search found nothing for “{what}”.",
    "page": "The page {link} begins:",
    "page_empty": "The page {link} holds no text that I can quote.",
    "more": "… and {count} more.",
}
GERMAN: dict[Phrase, str] = {
    "help": (
        "Ich bin der eingebaute Helfer von Memex. Ich arbeite nach festen Regeln, ohne Sprachmodell: Ich zitiere deine "
        "Notizen, benutze die Werkzeuge, die eine einfache Bitte nennt, und erfinde nichts.\n\n"
        "Du kannst zum Beispiel sagen:\n\n"
        "- Was habe ich über Birnen notiert?\n"
        "- Notiere, dass die Birnen im August reifen\n"
        "- Neue Aufgabe: Bibliothek anrufen · Was sind meine Aufgaben? · Markiere Bibliothek anrufen als erledigt\n"
        "- Tagge meine letzte Notiz mit Garten · Ändere den Titel meiner letzten Notiz zu Birnen · "
        "Lösche meine letzte Notiz\n"
        "- Recherchiere, wie Birnen am Spalier wachsen\n"
        "- Zusammenfassung meiner Notizen dieser Woche\n"
        "- Was ist 17 % von 340? · Wie spät ist es?\n\n"
        "Für freie Gespräche setze MEMEX_GEMINI_API_KEY, oder MEMEX_OPENAI_URL und MEMEX_CHAT_MODEL, und starte neu."
    ),
    "thanks": "Gern.",
    "missing": "Das kann ich nicht: Das Werkzeug {tool} ist hier ausgeschaltet. Unter Einstellungen lässt es sich "
    "einschalten.",
    "failed": "Das hat nicht geklappt: {message}",
    "denied": "Du hast abgelehnt, also ist das nicht geschehen.",
    "found": "In deinen Notizen:",
    "found_nothing": "In deinen Notizen habe ich nichts zu „{what}“ gefunden. Ich suche nach Wörtern; vielleicht hilft "
    "ein anderes.",
    "which_note": "Auf „{what}“ passen mehrere Notizen. Welche meinst du? Nenne sie beim Titel.",
    "which_task": "Auf „{what}“ passen mehrere Aufgaben. Welche meinst du? Nenne sie ganz.",
    "no_note": "Ich habe keine Notiz zu „{what}“ gefunden und nichts geändert.",
    "no_task": "Ich habe keine Aufgabe „{what}“ gefunden und nichts geändert.",
    "no_notes": "Du hast noch keine Notizen.",
    "tasks": "Deine offenen Aufgaben ({count}):",
    "tasks_done": "Deine erledigten Aufgaben ({count}):",
    "no_tasks": "Du hast keine offenen Aufgaben.",
    "no_done": "Du hast keine erledigten Aufgaben.",
    "task_added": "Neu unter deinen Aufgaben: {what}",
    "tasks_added": "Neu unter deinen Aufgaben ({count}):",
    "tasks_left": "Die letzten {count} waren zu viele für eine Bitte und fehlen, ab „{what}“.",
    "task_done": "Erledigt: {what}",
    "task_open": "Wieder offen: {what}",
    "task_dropped": "Gestrichen: {what}",
    "noted": "Notiert: {link}",
    "tagged": "{link} hat jetzt die Tags {tags}.",
    "bad_tag": "„{what}“ kann kein Tag sein: Ein Tag braucht Buchstaben oder Ziffern, höchstens 64.",
    "titled": "Der Titel ist jetzt {link}.",
    "deleted": "{what} liegt im Papierkorb und lässt sich von dort 30 Tage lang wiederherstellen.",
    "research": "Die Recherche zu {link} ist beauftragt. Ihr Bericht steht dann unter deinen Notizen.",
    "digest": "Deine Notizen {period} ({count}):",
    "digest_title": "Überblick über die Notizen {period}",
    "digest_empty": "Es gibt keine Notizen {period}.",
    "day": "des letzten Tages",
    "days": "der letzten {days} Tage",
    "saved": "Als Notiz gespeichert: {link}",
    "nothing_to_save": "Es gibt noch keine Antwort, die sich speichern ließe.",
    "recent": "Deine letzten Notizen:",
    "sum": "{sum} {sign} {result}",
    "time": "Es ist {time}.",
    "web": "Im Web gefunden:",
    "web_empty": "Die Websuche hat nichts zu „{what}“ gefunden.",
    "page": "Die Seite {link} beginnt so:",
    "page_empty": "Die Seite {link} enthält keinen Text, den ich zitieren könnte.",
    "more": "… und {count} weitere.",
}
PHRASES: dict[Literal["en", "de"], dict[Phrase, str]] = {"en": ENGLISH, "de": GERMAN}

WEEKDAYS: dict[Literal["en", "de"], tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
}
