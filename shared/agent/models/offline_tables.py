"""Plain requests as data: for each language what people say, line by line; the first line that fits counts.

`(a|b)` is one of them, `[a|b]` may be missing, `{last}` stands for the words below, and `<what>` takes the person's own
words: `<about>` which note or task, `<values>` tags, `<many>` several tasks, `<rest>` the rest of a digest's request.
"""

from typing import Literal

Kind = Literal[
    "help",
    "thanks",
    "search",
    "memory",
    "recent",
    "digest",
    "save",
    "note",
    "tag",
    "title",
    "delete",
    "research",
    "research_note",
    "tasks",
    "list_tasks",
    "task_done",
    "task_open",
    "task_dropped",
    "list_done",
    "remind",
    "tasks_all",
    "untag",
    "append",
    "rewrite",
    "task_moved",
    "links",
    "forget",
    "statement",
    "tagged",
    "count_notes",
    "gist",
    "more",
    "undo",
    "delete_all",
    "repeat",
    "compare",
    "cannot",
    "sum",
    "time",
    "web",
    "fetch",
]
Language = Literal["en", "de"]

_ENGLISH_WORDS = {
    "last": "((my |the |this |that )?(very last|last|latest|newest|most recent) (note|capture|one)|(this|that) note)",
    "about": "((the|my|that|a) notes? (about|on|titled|called|named|regarding) <about>)",
    "task": "(task|to-?do)",
    "tasks": "(tasks|to-?dos)",
    "done": "(done|finished|complete|completed|closed)",
    "web": "(web|internet|net)",
    "show": "(show|list|give|open|read|see|what.?s|what is|what are|what was|what were|which)",
    "make": "(make|write|give|create|show|prepare|build|take|add|save|new)",
    "wrote": "(noted?|write|written|wrote|say|said|saved?|captured?|know)",
    "soon": "((for|due) )?(today|now|soon|this week|this month|this weekend)",
    "with_tag": "(tagged with|tagged as|tagged|with the tags?|with tags?|with the hashtag|with hashtag)",
    "drop": "(delete|remove|erase|clear|trash|discard|wipe|bin|throw away|get rid of)",
}
_ENGLISH: tuple[tuple[Kind, str], ...] = (
    (
        "help",
        """
        (hi|hello|hey|good morning|good afternoon|good evening) [there|memex]
        help [me]
        (who|what) are you
        what can (you|i) (do|ask|say) [for me|here]
        what do you do
        how do you work
        what is memex
        are you (an ai|a robot|a person|a language model|there)
        """,
    ),
    (
        "thanks",
        """
        [ok|okay|great|perfect|cool] (thanks|thank you|thx|great|perfect|nice|cool|ok|okay) [very much|a lot|so much]
        (thanks|thank you|thx) [very much|a lot|so much] for <what>
        (never mind|forget it|forget that|forget about it)
        """,
    ),
    ("cannot", "(yes|yeah|yep|no|nope|sure|go ahead|do it|bye|goodbye|good night)"),
    (
        "undo",
        """
        undo [it|that|this|everything|the last step|the last change|my last change]
        (take|put) (it|that|this) back
        (reverse|revert) [it|that|this|the last step|the last change]
        """,
    ),
    (
        "more",
        """
        (tell|show|give) me [a bit|some] more [about it|about this|about that|about them|on it|on this|on that]
        [any|and] more [about it|about this|about that|about them|please]
        what else [did i note|is there|do you have|do i have] [about it|about this|about that]
        (anything else|go on)
        """,
    ),
    (
        "repeat",
        """
        (every|each) <what=repeat>
        remind me (every|each) <what>
        """,
    ),
    ("compare", "compare <what> (and|with|to|against|versus|vs.?) <about>"),
    (
        "memory",
        """
        what do you [still|already] (know|remember|recall) [(about|of) me] [so far]
        what (have you|did you) (remembered|remember|learned|learn) [(about|of|from) me] [so far]
        (tell|show) me (what|everything) [that] you (know|remember) [(about|of) me]
        (do you|can you) (know|remember) (me|who i am)
        {show} [me] [all] [of] (my|your) memor(y|ies) [of me|about me]
        (what.?s|what is) in your memory [of me|about me]
        what (did i say|did i tell you|have i said|have i told you) [about me|about myself|of me|of myself]
        what (did i say|did i tell you|have i said|have i told you) [that] (i|my) <what>
        what do you (know|remember|recall) (about|of) my <what>
        do you [still] (remember|recall) <what>
        """,
    ),
    ("forget", "forget [that|about|what i said about|everything about|all about] <what>"),
    (
        "count_notes",
        """
        how many notes (do i have|have i|are there|did i write) [made|written|now|in total|all in all|so far]
        count [all] [of] [my|the] notes
        [what is] [the] number of [my|all] notes
        """,
    ),
    (
        "time",
        """
        (what.?s|what is) [the] [current] (time|date|day|time and date|date and time) [is it] [today|now|right now]
        what (time|day|date) is (it|today) [today|now|right now]
        (which|what) day (is it|is|do we have) today
        [current] (time|date)
        """,
    ),
    (
        "fetch",
        """
        (read|fetch|open|get|load|summari.e|show) [me] [the] [page|article|site|link] [at|from] <what=address> [for me]
        """,
    ),
    (
        "web",
        """
        (search|look|check) [on|through] [the] ({web}|online) [for|about] <what>
        (look up|search for|search|find) <what> (on|in) the {web}
        (look up|search for|search|find) <what> online
        (google|websearch|web search) [for] <what>
        """,
    ),
    (
        "research_note",
        """
        research ({last}|{about})
        (do|start|run) [a|some] research (on|about|for|of) ({last}|{about})
        """,
    ),
    (
        "research",
        """
        research [the question] <what>
        (do|start|run) [a|some] [deep] research [on|about|into|for] <what>
        """,
    ),
    (
        "title",
        """
        (change|set|update|edit) the title of ({last}|{about}) (to|as|into) <what>
        (rename|retitle|title) {last} [to|as|into] <what>
        (rename|retitle|title) {about} (to|as|into) <what>
        """,
    ),
    (
        "tag",
        """
        tag {last} [with|as] [the tags?] <values>
        tag {about} (with|as) [the tags?] <values>
        (add|put|attach) [the|a] tags? <values> (to|on) ({last}|{about})
        """,
    ),
    ("untag", "(remove|delete|drop|take|take off) [the|a] tags? <values> (from|off) ({last}|{about})"),
    (
        "append",
        """
        (append|add) [this] to ({last}|{about}): <what>
        (append|add) [this:] <what> to ({last}|{about})
        """,
    ),
    (
        "rewrite",
        """
        (change|update|edit|correct|rewrite|set) ({last}|{about}): <what>
        (change|update|edit|correct|rewrite|set) ({last}|{about}) (to say|to read|so that it says) <what>
        """,
    ),
    (
        "delete",
        """
        {drop} ({last}|{about})
        {drop} (the|my) note <about>
        """,
    ),
    (
        "delete_all",
        """
        {drop} (everything|it all|them all|all of it|all of them|all)
        {drop} [all|all of|every|each of] [my|the|these|those] (notes|note|{tasks}|conversations|tags|reports) [<what>]
        """,
    ),
    (
        "gist",
        """
        (summari.e|sum up|recap|read) [me] {last} [to me|for me]
        (summari.e|sum up) (the|my|that) note (about|on|titled|called) <about>
        [{make}] [me] [a|the] [short|brief] summary of {last}
        (what.?s|what is) in {last}
        {show} [me] {last} [that|which] [i|i.?ve|i have] [{wrote}] [down]
        what does {last} say
        """,
    ),
    ("save", "(save|store|keep|file) (it|this|that) [answer|digest] [as] [a] [note|digest|review]"),
    (
        "digest",
        """
        [{make}] [me] [a|an|the|my] [short|brief] (digest|summary|overview|recap) <rest>
        [{make}] [me] [a|an|the|my] [short|brief] (digest|recap)
        [{make}] [me] [a|my|the] <rest=period> (digest|summary|recap|review)
        (summari.e|recap|digest) [my|the] [last|latest|recent] <rest=notes>
        what (did|have) i ({wrote}|do|done) [down] <rest=lately>
        [{show}] [me] [all] [my|the] notes (of|from) <rest=lately>
        [{show}] [me] [all] [my|the] <rest=lately> notes
        what (happened|was new|is new|was there) <rest=lately>
        """,
    ),
    ("list_done", "{show} [me] [all] [of] [my|the] {done} {tasks} [do i have|are there]"),
    (
        "list_tasks",
        """
        [{show}] [me] [all] [of] [on] [my|the] [open|current] ({tasks}|{task} list)
        (which|what|how many) [open] {tasks} (do i have|do i still have|are open|are left|are there) [open|left]
        (which|what) [open] {tasks} (do i have|are) [due|open|there|planned] [{soon}] [<what=day>]
        what (do i have to do|do i need to do|should i do|is left to do|is to do) [next] [{soon}] [<what=day>]
        (what.?s|what is) (due|next|up next|on my list|on my plate|on my to-?do list) [{soon}] [<what=day>]
        """,
    ),
    (
        "remind",
        """
        remind me <when=when> (to|that i should) <what>
        remind me <when=when> (about|of|that) <what>
        remind me [to|about|of|that] <what>
        """,
    ),
    (
        "tasks",
        """
        ({make}|put) [me] [the|these|some] [following|new|two|three|four|five] {tasks} [to my list] <many>
        ({tasks}|{task}|{task} list): <many>
        [{make}|set|set up|put] [me] [a|an|the|another] [new] ({task}|reminder): <what>
        ({make}|set|set up|put) [me] [a|an|the|another] [new] ({task}|reminder) [to my list] [for|called] <what>
        (do not|don.?t) [let me] forget to <what>
        remember to <what>
        i [still] (need to|have to|must|should|ought to) [still] <what=deed>
        (i.?ve|i have) got to <what=deed>
        (add|put) <what> (to|on) (my|the) ({tasks}|{task}|{task} list|list) [list]
        (add|put) <what> (to|on) (my|the) <list=list> list
        [add|put] (to|on) (my|the) <list=list> list <what>
        """,
    ),
    (
        "task_open",
        """
        (reopen|re-open) [the|my] [{task}] <about>
        (mark|set) [the|my] [{task}] <about> [as|to] (open|not done|undone)
        """,
    ),
    (
        "tasks_all",
        """
        (mark|set|check|tick) [off] (all|all of|every|everything) [my|the] [open] [{tasks}|{task}] [as|to] {done}
        (complete|finish|close|check off|tick off) (all|all of|every) [my|the] [open] ({tasks}|{task})
        """,
    ),
    (
        "task_done",
        """
        (mark|set|update|check|tick) [the|my] [{task}] <about> [as|to|is] {done}
        (check|tick|cross) off [the|my] [{task}] <about>
        (check|tick|cross) [the|my] [{task}] <about> off [my list|the list]
        {done}: <about>
        (complete|finish|close|check|tick) [off] (the|my) {task} <about>
        (complete|finish|close|check|tick) [off] (the|my) <about> {task}
        (i.?m|i am) [all] (done|finished|through) with [the|my] [{task}] <about>
        (i|i have|i.?ve) [just] (finished|completed|did|done) the {task} <about>
        [the] {task} <about> is {done}
        """,
    ),
    ("task_dropped", "(drop|cancel|delete|remove) (the|my) {task} <about>"),
    (
        "task_moved",
        """
        (move|postpone|reschedule|push|shift|put off|delay) (the|my) {task} <about> (to|until|till) <what=day>
        (move|postpone|reschedule|push|shift|put off|delay) (the|my) <about> {task} (to|until|till) <what=day>
        """,
    ),
    (
        "note",
        """
        (note|note down|remember|write down|jot down|record|capture) (that|this:|the following:) <what>
        (note|note to self|remember|write down|jot down|record|capture|save|save this): <what>
        {make} [me] [a|an|the|new] [new] note (that|saying|to say|for me) <what>
        [{make}|quick] [me] [a|an|the|new] [new] note: <what>
        (new|quick|add|create|make|save) [a] [new] note <what>
        (jot|write) [this] down <what>
        """,
    ),
    (
        "recent",
        """
        {show} [me] [my|the] (last|latest|newest|recent|most recent) <what=number> notes?
        {show} [me] [my|the] <what=number> (last|latest|newest|most recent) notes?
        {show} [me] [my|the] (last|latest|newest|recent|most recent) notes
        {show} [me] [all] [my|the] notes
        """,
    ),
    (
        "links",
        """
        (which|what) (links|pages|articles|bookmarks) (did|have|do) i ({wrote}|keep|kept) <rest=lately>
        (which|what) (links|pages|articles|bookmarks) (did|have|do) i ({wrote}|keep|kept) [so far]
        {show} [me] [all] [of] [my|the] [saved] (links|bookmarks) [i saved]
        """,
    ),
    (
        "tagged",
        """
        ({show}|find|get|search|search for|look for) [me] [all] [my|the] notes? {with_tag} <what>
        [all] [my|the] notes? {with_tag} <what>
        (which|what) notes (are tagged|have i tagged|did i tag|have the tag) [with|as] <what>
        what (did i tag|have i tagged|is tagged) [with|as] <what>
        """,
    ),
    (
        "search",
        """
        (tell|show|give) me more (about|on) <what>
        more (about|on) <what>
        (what|where|when) (did|have|had|do) i [ever] ({wrote}|have) [down] (about|on|of) <what>
        tell me (about|what i {wrote} about) <what>
        (do i have|what do you know|what do i know) [any] [notes?] (about|on|of) <what>
        (which|what) notes do i have (about|on|of) <what>
        (what|anything|what is there|what do you have) [in my notes] (about|on) <what> [in my notes]
        (search|look) [in|through] [my|the] notes (for|about) <what>
        ({show}|find|get) [me] [all] [my|the|a] notes? (about|on|with|for|that mentions?) <what>
        (find|search for|search|look for) [me] <what> [in my notes]
        """,
    ),
)

_GERMAN_WORDS = {
    "last": "((meine[rnm]? |die |der |den )?(letzten?r?|neuesten?r?|neusten?r?|jüngsten?r?) notiz|diese[rn]? notiz)",
    "about": "((die|der|meine[rn]?) notiz (über|ueber|zu|zum|zur|von|vom|namens|mit dem titel) <about>)",
    "task": "(aufgabe|to-?do)",
    "tasks": "(aufgaben|to-?dos)",
    "done": "(erledigt|fertig|abgehakt|abgeschlossen)",
    "web": "(web|internet|netz)",
    "show": "(zeige?|liste?|nenne?|öffne|lies|was sind|was ist|was war|was waren|was ist auf|welche)",
    "make": "(mache?|schreibe?|gib|zeige?|erstelle?|füge?|fuege?|lege?|neue)",
    "wrote": "(notiert|aufgeschrieben|geschrieben|festgehalten|gesagt|gespeichert)",
    "digest": "(digest|zusammenfassung|überblick|übersicht|rückblick)",
    "soon": "(heute|jetzt|bald|diese woche|diesen monat|am wochenende)",
    "über": "(über|ueber|zu|zum|zur|von|vom)",
    "drop": "(lösche?|loesche?|entferne?|leere|verwirf)",
    "with_tag": "(mit( dem)? (tag|schlagwort|hashtag)|getaggt mit|verschlagwortet mit)",
}
_GERMAN: tuple[tuple[Kind, str], ...] = (
    (
        "help",
        """
        (hallo|hi|hey|moin|servus|guten morgen|guten tag|guten abend) [memex]
        hilfe
        hilf mir
        (wer|was) bist du
        was kannst du [alles] [tun|machen|für mich tun]
        was kann ich [hier] (fragen|sagen|tun)
        wie funktionierst du
        was ist memex
        bist du (eine ki|ein mensch|da)
        """,
    ),
    (
        "thanks",
        """
        [ok|okay|super|prima] (danke|vielen dank|dankeschön|super|prima|ok|okay) [dir|schön|sehr]
        (danke|vielen dank) [dir|schön|sehr] für <what>
        (schon gut|egal|vergiss es)
        """,
    ),
    ("cannot", "(ja|nein|doch|klar|mach das|tschüss|gute nacht)"),
    (
        "undo",
        """
        (mache?|nimm) (es|das|dies|den letzten schritt|die letzte änderung) [bitte|wieder] (rückgängig|zurück)
        [das|alles|wieder] rückgängig [machen]
        """,
    ),
    (
        "more",
        """
        (erzähle?|zeige?|sage?|gib) [mir] [noch] mehr [davon|dazu|darüber]
        [noch] mehr [davon|dazu|darüber]
        was (noch|weißt du noch|habe ich noch) [notiert|dazu|davon|darüber]
        (weiter|sonst noch etwas|sonst noch was)
        """,
    ),
    (
        "repeat",
        """
        (jeden|jede|jedes) <what=repeat>
        erinnere? mich [bitte] [daran|an] (jeden|jede|jedes) <what>
        """,
    ),
    ("compare", "vergleiche? <what> (und|mit) <about>"),
    (
        "memory",
        """
        (was|was alles) (weißt|weisst) du [schon|alles|noch] [alles] (über|ueber|von) mich
        (was|was alles) (weißt|weisst) du [schon|alles|noch] von mir
        (was hast|woran erinnerst) du [dir|dich] [alles] [(über|von) (mich|mir)] [gemerkt]
        {show} [mir] [deine|meine] (erinnerungen|erinnerung) [an mich] [auf]
        (weißt|weisst|kennst) du [noch] (mich|wer ich bin)
        erinnerst du dich an mich
        was habe ich [dir] (über|von) (mich|mir) (gesagt|erzählt)
        was habe ich [dir] (gesagt|erzählt) [dass] (ich|mein|meine) <what>
        (was|was alles) (weißt|weisst) du [schon|alles|noch] (über|von) (meine|meinen|meinem|meiner|mein) <what>
        (weißt|weisst) du noch <what>
        """,
    ),
    ("forget", "vergiss [dass|alles über|was ich über] <what=forgotten>"),
    (
        "count_notes",
        """
        (wie ?viele|wieviele) notizen (habe ich|gibt es|sind es|sind da) [insgesamt|schon|jetzt|geschrieben]
        zähle? [alle] [meine|die] notizen
        """,
    ),
    (
        "time",
        """
        (wie spät|wie viel uhr|wieviel uhr) ist es [jetzt|gerade]
        (welcher|welchen|welches) (tag|datum) (ist|haben wir) [heute|es|jetzt] [heute]
        den wievielten haben wir [heute]
        was ist heute für ein tag
        [aktuelle|aktuelles] (uhrzeit|datum)
        """,
    ),
    (
        "fetch",
        """
        (lies|lade|öffne|hole?|zeige?|fasse?) [mir] [die|den|das] [seite|artikel|adresse] <what=address> [vor|zusammen]
        """,
    ),
    (
        "web",
        """
        (suche?|schaue?|recherchiere?) [mal] (im|in dem) {web} [nach] <what>
        suche? [nach] <what> im {web}
        (google|googel|googele) [nach] <what>
        """,
    ),
    (
        "research_note",
        """
        recherchiere? [zu] ({last}|{about})
        starte [eine|die] recherche (zu|für|über) ({last}|{about})
        """,
    ),
    (
        "research",
        """
        recherchiere? [{über}|nach] <what>
        (starte|mache?) [mir] [eine|die] recherche [{über}|nach] <what>
        """,
    ),
    (
        "title",
        """
        (ändere?|aendere?|setze?) den titel [von] ({last}|{about}) (zu|auf|in|nach) <what>
        (benenne?|nenne?) ({last}|{about}) (in|zu) <what> um
        (benenne?|nenne?) ({last}|{about}) (um in|um zu|in|zu) <what>
        """,
    ),
    (
        "tag",
        """
        (tagge?|verschlagworte?|markiere?) ({last}|{about}) (mit|als) [dem|den] [tags?|schlagwort|schlagworten] <values>
        (gib|füge?|fuege?) ({last}|{about}) (den|die|das) (tags?|schlagwort|schlagworte) <values> hinzu
        gib ({last}|{about}) (den|die|das) (tags?|schlagwort|schlagworte) <values>
        """,
    ),
    (
        "untag",
        """
        (entferne?|lösche?|loesche?|nimm) [den|das|die] (tags?|schlagwort|schlagworte) <values> (von|aus|bei) {last}
        (entferne?|lösche?|loesche?|nimm) [den|das|die] (tags?|schlagwort|schlagworte) <values> (von|aus|bei) {about}
        """,
    ),
    (
        "append",
        """
        (ergänze?|schreibe?|füge?|fuege?|hänge?) [in|an|zu|zur|bei] ({last}|{about}) [hinzu|an|dazu]: <what>
        ergänze? ({last}|{about}) um <what>
        """,
    ),
    ("rewrite", "(ändere?|aendere?|berichtige?|korrigiere?|aktualisiere?) ({last}|{about}): <what>"),
    (
        "delete",
        """
        {drop} ({last}|{about})
        {drop} (die|meine) notiz <about>
        """,
    ),
    (
        "delete_all",
        """
        {drop} (alles|alle|alle davon)
        {drop} [alle|alle meine|sämtliche|meine|die] (notizen|{tasks}|gespräche|tags|berichte) [<what>]
        """,
    ),
    (
        "gist",
        """
        fasse? {last} zusammen
        fasse? (die|meine) notiz (über|zu|namens) <about> zusammen
        [{make}] [mir] [eine] [kurze] zusammenfassung [von] {last}
        lies [mir] {last} [vor]
        was steht in {last}
        {show} [mir] {last} [die ich] [{wrote}] [habe]
        """,
    ),
    ("save", "(speichere?|sichere?|merke?) (das|es|dies) [als] [eine|einen] [notiz|digest|überblick] [ab]"),
    (
        "digest",
        """
        [{make}] [mir] [ein|eine|einen] [kurze|kurzen] {digest} <rest>
        [{make}] [mir] [ein|eine|einen] [kurze|kurzen] {digest}
        fasse? [meine|die] [letzten] <rest=notes> zusammen
        fasse? [meine|die] [letzten] <rest=notes> zusammen und (speichere?|sichere?) (es|sie|das) [als notiz]
        was habe ich <rest=lately> ({wrote}|gemacht|getan)
        [{show}] [mir] [alle] [meine|die] notizen [von|vom|aus] <rest=lately> [auf]
        was (war|gab es|ist neu|war neu) <rest=lately> [neues|los]
        """,
    ),
    (
        "list_done",
        "{show} [mir] [alle] [meine|die] (erledigten?|fertigen?) {tasks} [auf]",
    ),
    (
        "list_tasks",
        """
        [{show}] [mir] [alle] [meine[rn]?|die] [offenen?] ({tasks}|aufgabenliste|to-?do-?liste) [auf]
        welche [offenen?] {tasks} (sind|habe ich|gibt es|stehen) [noch] [{soon}] [<what=day>] [noch] [fällig|offen|an]
        was (steht|liegt) [noch|bei mir] [{soon}] [<what=day>] [noch|so] an
        was (ist|gibt es|gibt.s) [noch] [{soon}] [<what=day>] [noch] zu (tun|erledigen)
        (wie ?viele|wieviele) [offene] {tasks} (habe ich|gibt es|sind) [noch] [offen]
        was (muss|soll|habe) ich [noch] [{soon}] [<what=day>] [noch|alles] (tun|machen|erledigen|zu tun|zu erledigen)
        """,
    ),
    (
        "remind",
        """
        erinnere? mich [bitte] <when=when> [bitte] (daran|dran) [dass ich] <what>
        erinnere? mich [bitte] <when=when> [bitte] an <what>
        erinnere? mich [bitte] [daran|an] [dass ich] <what>
        """,
    ),
    (
        "tasks",
        """
        (füge?|fuege?|lege?|erstelle?|neue) [die|diese|folgende] {tasks} [hinzu|an]: <many>
        (neue|erstelle?) [die|diese|folgende] {tasks}: <many>
        ({tasks}|{task}): <many>
        [{make}] [mir] [eine|die] [neue] {task} [hinzu|an]: <what>
        (füge?|fuege?|lege?) [eine|die] [neue] {task} <what> (hinzu|an)
        (neue|erstelle?) [eine|die] [neue] {task} <what>
        trage? [mir] als {task} ein: <what>
        (vergiss nicht|denke? daran) <what>
        ich (muss|müsste|sollte|soll) [noch] <what=deed>
        (setze?|schreibe?|packe?) <what> auf (meine|die) (aufgabenliste|to-?do-?liste|liste)
        (setze?|schreibe?|packe?|füge?|fuege?) <what> (auf|zu|zur) [meine|die|der|meiner] <list=liste> [hinzu]
        [setze?|schreibe?|packe?] (auf|zu|zur) [meine|die|der|meiner] <list=liste> <what>
        """,
    ),
    (
        "task_open",
        """
        (markiere?|setze?) [die|meine] [{task}] <about> (als|auf) (offen|unerledigt)
        öffne (die|meine) {task} <about> wieder
        """,
    ),
    (
        "tasks_all",
        """
        (markiere?|setze?) alle [meine|die] [offenen?] {tasks} (als|auf) {done}
        hake? alle [meine|die] [offenen?] {tasks} ab
        """,
    ),
    (
        "task_done",
        """
        (markiere?|setze?) [die|meine] [{task}] <about> (als|auf) {done}
        (hake?|haken) [die|meine] [{task}] <about> ab
        {done}: <about>
        [die] {task} <about> ist {done}
        ich habe die {task} <about> {done}
        ich bin [mit] {done} mit [der|meiner] [{task}] <about>
        ich bin mit [der|meiner] [{task}] <about> {done}
        """,
    ),
    ("task_dropped", "(streiche?|verwirf|lösche?|loesche?) (die|meine) {task} <about>"),
    ("task_moved", "(verschiebe?|lege?) (die|meine) {task} <about> (auf|zu) <what=day>"),
    (
        "note",
        """
        (notiere?|merke?|merke? dir|schreibe? auf|halte? fest|notiz) dass <what>
        (notiere?|merke?|merke? dir|schreibe? auf|halte? fest|speichere?): <what>
        [{make}] [mir] [eine] [neue] notiz: <what>
        (notiere?|merke? dir) <what>
        """,
    ),
    (
        "recent",
        """
        {show} [mir] [meine|die] (letzten?|neuesten?|neusten?) <what=number> notiz(en)? [auf|vor]
        {show} [mir] [meine|die] (letzten?|neuesten?|neusten?) notizen [auf|vor]
        {show} [mir] [alle] [meine|die] notizen [auf]
        """,
    ),
    (
        "links",
        """
        welche (links|seiten|artikel|lesezeichen) habe ich [mir] <rest=lately> {wrote}
        welche (links|seiten|artikel|lesezeichen) habe ich [mir] {wrote}
        {show} [mir] [alle] [meine|die] [gespeicherten] (links|lesezeichen) [auf]
        """,
    ),
    (
        "tagged",
        """
        ({show}|finde?|suche?) [mir] [alle] [meine|die] notiz(en)? {with_tag} <what>
        [alle] [meine|die] notizen {with_tag} <what>
        """,
    ),
    (
        "search",
        """
        (erzähle?|zeige?|sage?) [mir] [noch] mehr {über} <what>
        mehr {über} <what>
        (was|wo|wann) (habe|hatte) ich [mir] [schon] {über} <what> {wrote}
        was (weiß|weiss) ich [schon] {über} <what>
        (welche|was für) notizen (habe ich|gibt es) {über} <what>
        erzähle? mir [etwas] {über} <what>
        was (steht|gibt es|ist) [in meinen notizen] {über} <what> [in meinen notizen]
        (suche?|durchsuche?) [in] (meinen?|den|die) notizen nach <what>
        ({show}|finde?|suche?) [mir] [alle] [meine|die] notiz(en)? ({über}|mit) <what>
        (finde?|suche?) [nach] <what> [in meinen notizen]
        """,
    ),
)

TABLE: dict[Language, tuple[tuple[Kind, str], ...]] = {"en": _ENGLISH, "de": _GERMAN}
WORDS: dict[Language, dict[str, str]] = {"en": _ENGLISH_WORDS, "de": _GERMAN_WORDS}

SLOTS = {
    "": r".+?",
    "address": r"https?://\S+?",
    "number": r"\d{1,3}",
    "period": r"weekly|daily|monthly",
    "notes": r"(?:\d{1,3} )?(?:notes|notizen|days?|weeks?|months?)\b.*?",
    "lately": (
        r"today|yesterday|this week|this month|last week|last month|lately|recently"
        r"|(?:today|yesterday)['’]?s|since yesterday|seit gestern|(?:in|over|during) the (?:last|past) .+?"
        r"|heute|gestern|diese[rn]? (?:woche|monats?)|diesen monat|letzte[rn]? (?:woche|monat)|zuletzt"
        r"|in (?:den|der) letzten .+?"
    ),
    "when": (
        r"(?:today|tonight|tomorrow|later|soon|on|at|in|next|this|by|before|after|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
        r"|heute|morgen|übermorgen|uebermorgen|später|bald|am|um|im|in|nächste[nrsm]?|kommende[nrsm]?|diese[nrsm]?|vor|nach"
        r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b.*?"
    ),
    "day": (
        r"(?:(?:on|by|for|until|am|bis|für) )?(?:the )?"
        r"(?:tomorrow|tonight|(?:next |this |coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|next (?:week|month)"
        r"|übermorgen|uebermorgen|morgen|(?:nächsten |kommenden )?(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch"
        r"|nächste woche|nächsten monat|\d{1,2}\.? (?:of )?[a-zä]{3,9}|[a-zä]{3,9} \d{1,2}(?:st|nd|rd|th)?"
        r"|\d{4}-\d\d-\d\d)"
    ),
    "deed": (
        r"(?!(?:know|find|see|say|admit|understand|ask|think|remember|confess|tell|be|have|wissen|sagen|zugeben|fragen)\b)"
        r"(?=[^?]*\Z)[^\n]+?"
    ),
    "forgotten": r"(?!nicht\b).+?",
    "repeat": (
        r"(?:other |second |zweiten? )?(?:day|morning|evening|night|noon|week|weekday|weekend|month|year|hour"
        r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tag|morgen|abend|nacht|mittag|woche|wochenende|monat|jahr|stunde"
        r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b.*?"
    ),
    "list": r"(?!to-?do\b|task\b)[^\W\d_][\w-]*(?: [\w-]+)?",
    "liste": r"(?!aufgabenliste\b|to-?do-?liste\b)[^\W\d_][\w-]*liste",
}
"""What a slot with a name behind `=` takes."""
