"""What the offline model says, in both languages. It states what was done and found, and promises nothing."""

from typing import Literal

Phrase = Literal[
    "help",
    "thanks",
    "undo",
    "delete_all",
    "tasks_one_by_one",
    "repeat",
    "compare",
    "cannot",
    "missing",
    "outside",
    "failed",
    "denied",
    "found",
    "found_nothing",
    "remembered",
    "remembered_more",
    "remembered_none",
    "source_chat",
    "source_edit",
    "source_rollback",
    "found_more",
    "all_told",
    "no_more",
    "tagged_notes",
    "no_tagged",
    "counted",
    "counted_least",
    "gist",
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
    "no_alarm",
    "task_done",
    "task_open",
    "task_dropped",
    "noted",
    "tagged",
    "untagged_all",
    "not_tagged",
    "bad_tag",
    "titled",
    "deleted",
    "research",
    "digest",
    "digest_title",
    "digest_empty",
    "day",
    "days",
    "today",
    "yesterday",
    "least",
    "not_all",
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
    "unclear",
    "statement",
    "forgotten",
    "not_forgotten",
    "links",
    "no_links",
    "a_report",
    "a_digest",
    "a_review",
    "tasks_named",
    "none_named",
    "task_moved",
    "appended",
    "rewritten",
    "which_sentence",
    "the_note",
    "back_made",
    "back_changed",
    "back_deleted",
    "back_tasks",
    "back_task",
    "back_more",
    "back",
]

ENGLISH: dict[Phrase, str] = {
    "help": (
        "I am Memex's built-in helper. I work by fixed rules, without a language model: I quote your notes, run the "
        "tools that a plain request names, and make nothing up.\n\n"
        "You can say, for example:\n\n"
        "- What did I note about pears?\n"
        "- Note that the pears ripen in August\n"
        "- Add a task to call the library · What are my tasks? · Mark call the library as done · Move the "
        "library task to Monday\n"
        "- Tag my last note garden · Change the title of my last note to Pears · Delete my last note\n"
        "- Append to my last note: … · Change the note about pears: They ripen in July · Undo that\n"
        "- Research how pears are grown at a wall\n"
        "- Digest of my notes this week\n"
        "- What do you know about me? (where Memory is on)\n"
        "- What is 17 % of 340? · What time is it?\n\n"
        "For free conversation, set MEMEX_GEMINI_API_KEY, or MEMEX_OPENAI_URL and MEMEX_CHAT_MODEL, and start again."
    ),
    "thanks": "You are welcome.",
    "undo": "I can't take a step back here: the tool undo_change is switched off. In the web client, press Undo beside "
    "the change; in the terminal, use “memex undo”. What was deleted can also be restored from the bin for 30 days.",
    "delete_all": "I don't delete several at once, and nothing was deleted. Name one: “Delete my last note”, “Delete "
    "the note about pears”, “Delete the task call the library”.",
    "tasks_one_by_one": "I don't change all tasks at once, and nothing was changed. Name one: “Mark … as done”. These "
    "are open:",
    "repeat": "I can't do something again and again, and nothing was set up. What Memex does at fixed times stands "
    "under Routines; a task for one day is made with “Remind me tomorrow to …”.",
    "compare": "I can't compare: I only quote. Ask for each: “What did I note about {what}?”, “What did I note about "
    "{about}?”",
    "cannot": "I can't do that; nothing was changed. You can say, for example, “What did I note about pears?”, “Note "
    "that …”, “Remind me to …” or “Digest of my notes this week”; “help” tells more.",
    "missing": "I can't do that: the tool {tool} is switched off here. You can switch tools on in Settings.",
    "outside": "Reading from outside is switched off here, so the tool {tool} isn't there. It is allowed in Settings: "
    "under Network, “Read from the web” and the hosts that may be read, or with MEMEX_EGRESS_ENABLED and "
    "MEMEX_ALLOWED_HOSTS. A single tool is switched on there under Tools.",
    "failed": "That did not work: {message}",
    "denied": "You said no, so that was not done.",
    "found": "In your notes:",
    "found_nothing": "I found nothing in your notes about “{what}”. I look for words, so another word may help.",
    "remembered": "From earlier conversations I remember:",
    "remembered_more": "The Memory page shows all that is kept, and what is withheld and why.",
    "remembered_none": "I remember nothing about you that I may use here. Whether I remember at all, what is kept, and "
    "what of it is withheld and why, stands on the Memory page.",
    "source_chat": "you said so on {day}",
    "source_edit": "you corrected it on {day}",
    "source_rollback": "you brought it back on {day}",
    "found_more": "More from your notes about “{what}”:",
    "all_told": "That is all that I found in your notes about “{what}”.",
    "no_more": "I can tell more only of what I looked up in your notes. Ask, for example: What did I note about pears?",
    "tagged_notes": "Your notes with the tag #{tag}:",
    "no_tagged": "No note has the tag #{tag}.",
    "counted": "Your notes: {count}, without those in the bin.",
    "counted_least": "Your notes: at least {count}, without those in the bin. I count no further.",
    "gist": "{link} begins:",
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
    "no_alarm": "Tasks have no alarm: it waits in your list, and nothing rings.",
    "task_done": "Done: {what}",
    "task_open": "Open again: {what}",
    "task_dropped": "Dropped: {what}",
    "noted": "Noted: {link}",
    "tagged": "{link} now has the tags {tags}.",
    "untagged_all": "{link} now has no tags.",
    "not_tagged": "{link} doesn't have the tag {tags}, so I changed nothing.",
    "bad_tag": "“{what}” can't be a tag: a tag needs letters or digits, at most 64.",
    "titled": "The title is now {link}.",
    "deleted": "{what} is in the bin. It can be restored from there for 30 days.",
    "research": "Research on {link} has been asked for. Its report will stand among your notes.",
    "digest": "Your notes of {period} ({count}):",
    "digest_title": "Digest of {period}",
    "digest_empty": "There are no notes of {period}.",
    "day": "the last day",
    "days": "the last {days} days",
    "today": "today",
    "yesterday": "yesterday",
    "least": "at least {count}",
    "not_all": "I looked only at the newest {count} notes; there may be others. The web client lists all.",
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
    "unclear": "I didn't understand that as a request, and no note of yours holds enough of these words; nothing was "
    "changed. I understand, for example, “What did I note about pears?”, “Note that …”, “Remind me to …”, “What are my "
    "tasks?” or “Digest of my notes this week”; “help” tells more.",
    "statement": "That is something you tell me and no question, so I looked nothing up, and made no note of it. Where "
    "Memory is on, I may remember it: the Memory page shows what is kept. “Note that …” makes a note, “Remind me to …” "
    "a task; “help” tells what else I understand.",
    "forgotten": "Forgotten. The Memory page shows what is still kept.",
    "not_forgotten": "I remember nothing of “{what}” that I may use here, so I forgot nothing. The Memory page shows "
    "all that is kept; single things, or everything, can be forgotten there.",
    "links": "Links that you saved:",
    "no_links": "I found no saved links.",
    "a_report": "a research report",
    "a_digest": "a digest",
    "a_review": "a review",
    "tasks_named": "Tasks have no dates of their own. These open ones name {day} ({count}):",
    "none_named": "No open task names {day}; tasks have no dates of their own.",
    "task_moved": "The task is now: {what}",
    "appended": "{link} now ends with {new}.",
    "rewritten": "{link} now says {new} in place of {old}.",
    "which_sentence": "I can't tell which sentence of {link} that replaces, so I changed nothing. Open the note to "
    "edit it, or add to it with “Append to the note about …: …”.",
    "the_note": "the note",
    "back_made": "Taken back: {link} is in the bin. It can be restored from there for 30 days.",
    "back_changed": "Taken back: {link} is as it was before.",
    "back_deleted": "Taken back: {link} is out of the bin again.",
    "back_tasks": "Taken back: what was added to your tasks is dropped.",
    "back_task": "Taken back: the task is as it was before.",
    "back": "Taken back.",
    "back_more": "The same request changed more ({count}): say “undo” once more to take that back, too.",
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
        "- Ergänze meine letzte Notiz: … · Ändere die Notiz über Birnen: Sie reifen im Juli · Mach das rückgängig\n"
        "- Recherchiere, wie Birnen am Spalier wachsen\n"
        "- Zusammenfassung meiner Notizen dieser Woche\n"
        "- Was weißt du über mich? (wo Memory eingeschaltet ist)\n"
        "- Was ist 17 % von 340? · Wie spät ist es?\n\n"
        "Für freie Gespräche setze MEMEX_GEMINI_API_KEY, oder MEMEX_OPENAI_URL und MEMEX_CHAT_MODEL, und starte neu."
    ),
    "thanks": "Gern.",
    "undo": "Ich kann hier keinen Schritt rückgängig machen: Das Werkzeug undo_change ist ausgeschaltet. In der "
    "Web-Oberfläche steht neben der Änderung der Knopf Undo, im Terminal hilft „memex undo“; Gelöschtes lässt sich "
    "auch 30 Tage lang aus dem Papierkorb holen.",
    "delete_all": "Ich lösche nicht mehreres auf einmal, und nichts wurde gelöscht. Nenne eines: „Lösche meine letzte "
    "Notiz“, „Lösche die Notiz über Birnen“, „Streiche die Aufgabe Bibliothek anrufen“.",
    "tasks_one_by_one": "Ich ändere nicht alle Aufgaben auf einmal, und nichts wurde geändert. Nenne eine: „Markiere … "
    "als erledigt“. Offen sind:",
    "repeat": "Ich kann nichts regelmäßig tun, und nichts wurde eingerichtet. Was Memex zu festen Zeiten tut, steht "
    "unter Routines; eine Aufgabe für einen Tag entsteht mit „Erinnere mich morgen daran, …“.",
    "compare": "Vergleichen kann ich nicht, ich zitiere nur. Frage nach jedem: „Was habe ich über {what} notiert?“, "
    "„Was habe ich über {about} notiert?“",
    "cannot": "Das kann ich nicht; nichts wurde geändert. Du kannst zum Beispiel sagen: „Was habe ich über Birnen "
    "notiert?“, „Notiere, dass …“, „Erinnere mich daran, …“ oder „Zusammenfassung meiner Notizen dieser Woche“; "
    "„Hilfe“ sagt mehr.",
    "missing": "Das kann ich nicht: Das Werkzeug {tool} ist hier ausgeschaltet. Unter Einstellungen lässt es sich "
    "einschalten.",
    "outside": "Das Lesen von außen ist hier ausgeschaltet, deshalb fehlt das Werkzeug {tool}. Erlaubt wird es in den "
    "Einstellungen: unter Network „Read from the web“ und die Hosts, die gelesen werden dürfen, oder mit "
    "MEMEX_EGRESS_ENABLED und MEMEX_ALLOWED_HOSTS. Ein einzelnes Werkzeug steht dort unter Tools.",
    "failed": "Das hat nicht geklappt: {message}",
    "denied": "Du hast abgelehnt, also ist das nicht geschehen.",
    "found": "In deinen Notizen:",
    "found_nothing": "In deinen Notizen habe ich nichts zu „{what}“ gefunden. Ich suche nach Wörtern; vielleicht hilft "
    "ein anderes.",
    "remembered": "Aus früheren Gesprächen weiß ich noch:",
    "remembered_more": "Die Seite Memory zeigt alles, was behalten ist, und was davon warum zurückgehalten wird.",
    "remembered_none": "Ich weiß nichts über dich, das ich hier verwenden darf. Ob ich mir überhaupt etwas merke, was "
    "behalten ist, und was davon warum zurückgehalten wird, steht auf der Seite Memory.",
    "source_chat": "das hast du am {day} gesagt",
    "source_edit": "das hast du am {day} berichtigt",
    "source_rollback": "das hast du am {day} zurückgeholt",
    "found_more": "Mehr aus deinen Notizen zu „{what}“:",
    "all_told": "Das ist alles, was ich in deinen Notizen zu „{what}“ gefunden habe.",
    "no_more": "Mehr kann ich nur zu dem sagen, was ich in deinen Notizen nachgesehen habe. Frage zum Beispiel: Was "
    "habe ich über Birnen notiert?",
    "tagged_notes": "Deine Notizen mit dem Tag #{tag}:",
    "no_tagged": "Keine Notiz hat den Tag #{tag}.",
    "counted": "Deine Notizen: {count}, ohne die im Papierkorb.",
    "counted_least": "Deine Notizen: mindestens {count}, ohne die im Papierkorb. Weiter zähle ich nicht.",
    "gist": "{link} beginnt so:",
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
    "no_alarm": "Aufgaben haben keinen Wecker: Sie warten in deiner Liste, und nichts klingelt.",
    "task_done": "Erledigt: {what}",
    "task_open": "Wieder offen: {what}",
    "task_dropped": "Gestrichen: {what}",
    "noted": "Notiert: {link}",
    "tagged": "{link} hat jetzt die Tags {tags}.",
    "untagged_all": "{link} hat jetzt keine Tags mehr.",
    "not_tagged": "{link} hat den Tag {tags} nicht; ich habe nichts geändert.",
    "bad_tag": "„{what}“ kann kein Tag sein: Ein Tag braucht Buchstaben oder Ziffern, höchstens 64.",
    "titled": "Der Titel ist jetzt {link}.",
    "deleted": "{what} liegt im Papierkorb und lässt sich von dort 30 Tage lang wiederherstellen.",
    "research": "Die Recherche zu {link} ist beauftragt. Ihr Bericht steht dann unter deinen Notizen.",
    "digest": "Deine Notizen {period} ({count}):",
    "digest_title": "Überblick über die Notizen {period}",
    "digest_empty": "Es gibt keine Notizen {period}.",
    "day": "des letzten Tages",
    "days": "der letzten {days} Tage",
    "today": "von heute",
    "yesterday": "von gestern",
    "least": "mindestens {count}",
    "not_all": "Ich habe nur die neuesten {count} Notizen angesehen; es kann weitere geben. Die Web-Oberfläche zeigt "
    "alle.",
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
    "unclear": "Das habe ich nicht als Bitte verstanden, und keine deiner Notizen enthält genug von diesen Wörtern; "
    "nichts wurde geändert. Ich verstehe zum Beispiel „Was habe ich über Birnen notiert?“, „Notiere, dass …“, "
    "„Erinnere mich daran, …“, „Was sind meine Aufgaben?“ oder „Zusammenfassung meiner Notizen dieser Woche“; „Hilfe“ "
    "sagt mehr.",
    "statement": "Das erzählst du mir und fragst nichts; ich habe also nichts nachgesehen und nichts notiert. Wo "
    "Memory eingeschaltet ist, merke ich es mir vielleicht: Die Seite Memory zeigt, was behalten ist. „Notiere, dass "
    "…“ macht eine Notiz, „Erinnere mich daran, …“ eine Aufgabe; „Hilfe“ sagt, was ich sonst verstehe.",
    "forgotten": "Vergessen. Die Seite Memory zeigt, was noch behalten ist.",
    "not_forgotten": "Zu „{what}“ weiß ich nichts, das ich hier verwenden darf, und habe nichts vergessen. Die Seite "
    "Memory zeigt alles, was behalten ist; dort lässt sich Einzelnes oder alles vergessen.",
    "links": "Gespeicherte Links:",
    "no_links": "Ich habe keine gespeicherten Links gefunden.",
    "a_report": "ein Recherchebericht",
    "a_digest": "ein Überblick",
    "a_review": "ein Rückblick",
    "tasks_named": "Aufgaben haben kein eigenes Datum. Diese offenen nennen {day} ({count}):",
    "none_named": "Keine offene Aufgabe nennt {day}; Aufgaben haben kein eigenes Datum.",
    "task_moved": "Die Aufgabe heißt jetzt: {what}",
    "appended": "{link} endet jetzt mit {new}.",
    "rewritten": "In {link} steht jetzt {new} statt {old}.",
    "which_sentence": "Ich kann nicht sagen, welchen Satz von {link} das ersetzt, und habe nichts geändert. Öffne die "
    "Notiz und ändere sie dort, oder hänge etwas an: „Ergänze die Notiz über …: …“.",
    "the_note": "die Notiz",
    "back_made": "Zurückgenommen: {link} liegt im Papierkorb und lässt sich von dort 30 Tage lang wiederherstellen.",
    "back_changed": "Zurückgenommen: {link} ist wieder wie vorher.",
    "back_deleted": "Zurückgenommen: {link} liegt nicht mehr im Papierkorb.",
    "back_tasks": "Zurückgenommen: Die neuen Aufgaben sind gestrichen.",
    "back_task": "Zurückgenommen: Die Aufgabe ist wieder wie vorher.",
    "back": "Zurückgenommen.",
    "back_more": "Dieselbe Bitte hat mehr geändert ({count}): Sage noch einmal „rückgängig“, um auch das "
    "zurückzunehmen.",
}
PHRASES: dict[Literal["en", "de"], dict[Phrase, str]] = {"en": ENGLISH, "de": GERMAN}

WEEKDAYS: dict[Literal["en", "de"], tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
}
