"""Words that say nothing about a note, by language, and how to tell the language. It knows no note."""

import unicodedata
from collections.abc import Sequence
from functools import cache

ENGLISH = frozenset(
    """
a about above across after afterwards again against ago ain't all almost alone along already also although
always am amid among an and another any anybody anyhow anyone anything anyway anywhere are aren't around as
aside at away back be became because become becomes been before beforehand behind being below beneath beside
besides between beyond both but by can can't cannot could couldn't did didn't do does doesn't doing don't done
down due during each eg either else elsewhere enough especially etc even ever every everybody everyone
everything everywhere except few fewer for forth from further furthermore get gets getting given goes going
gone gonna got gotten had hadn't has hasn't have haven't having he he'd he'll he's hence her here here's hers
herself hey hi him himself his how how's however i i'd i'll i'm i've ie if in indeed inside instead into is
isn't it it'd it'll it's its itself just kind lately later least less lest let let's like likely lot lots many
may maybe me meanwhile might mine more moreover most mostly much must mustn't my myself namely near nearly
neither never nevertheless no nobody none nonetheless nor not nothing now nowhere of off often oh ok okay on
once one ones only onto or other others otherwise ought our ours ourselves out over overall own per perhaps
plus please quite rather re really regarding same shall she she'd she'll she's should shouldn't simply since
so some somebody somehow someone something sometimes somewhere soon still such than that that'd that'll that's
the their theirs them themselves then there there's thereby therefore these they they'd they'll they're
they've this those though through throughout thus till to together too toward towards under unless unlike
until up upon us very via was wasn't way ways we we'd we'll we're we've well were weren't what what's whatever
when whenever where where's whereas wherever whether which whichever while who who's whoever whole whom whose
why why's will with within without won't would wouldn't yes yet you you'd you'll you're you've your yours
yourself yourselves zero
""".split()
)

COMMON = frozenset(
    """
association associations paragraph paragraphs chapter chapters footnote footnotes appendix abstract legal disclaimer
participants respondents cost costs study studies researcher researchers finding conclusion conclusions hypothesis
til sign signed euro euros dollar dollars renew lorem ipsum dolor sit amet able absolute tag tags tagged
predict invent promise promised stays lie article articles mix breaks browse browser id stores ids accept
accepted accidentally acting adapt affects afternoon agreed ahead aimed alert annoying appearance apart
applicable arrange arranged arrived asleep attach attached attend awkward backward base beautiful bind boost
bother bound bright bulk calculate calculated capture captured carry cheap check-in clever cold collect
combine combined compare compared compatible compute confirm confirmed confirms confusing connect connected
consistent convenient convince copied copy count counts cover covered covers crazy curious customize
customized cut cute dangerous decent dedicated delay delayed delete deleted deleting deletes deliver delivered
deserve disappear discover dozen drag drawn drop dropped eat eaten embed embedded emphasize encourage exciting
existed expand expects expensive explaining extended extends extract faced fascinating feed fetch filter
filtered filters firm fly folded forever forward funny gathered grab grew grown guessed handled happier hate
heavy helps hide hiding highlight hiring hold holding hurt hurry identified ignore ignored imagine impossible
impressive improving indent inform insane inserted inspired install installed installing installs intend
intended introduced invite invited involved joined jump jumping kill laid late launch launched lay lets
lighter listen listed literally loading log loud manages mad massive maximum maybe measured merge merged messy
modern mostly nearby neat obtain odd opened organize organized originally outside overwrite paid paste pasted
pause perfect permanent pin pinned pleasant pointed pointing prepared preserve pretty prevent preview proposed
proud proved quiet raise raised rapid rather realized rebuild received recommends recover redo refresh
rejected reload reminds rename renamed reply resize resolve resolved restart restore restored restricted
revealed revert rid rough ruled sad scroll selects sends separated serve served settled sharing shift shipped
sick silly sized slept slide smart smooth sooner spare spread stored strange strictly stuck subtle suck sudden
suggests suit surprised surprising swap switched sync synced tall tap tapped tasty terrible thin tight tiny
tired toggle toggled tough track tracked transform translate trigger triggered typed ugly undo unfold
uninstall unlock unlocked upset visit visited visual wake warm warned weird wet wider wonderful wondered
worked worried worthwhile wrap yourself access accessed accessible according achieve act action actions actual
actually add added adding addition additional additionally adds adjust advanced affect agree aim aims allow
allowed allowing allows alternative alternatively amazing amount amounts answer answers appear appeared
appears apply applies applied applying approach approaches appropriate area areas arrive ask asked asking asks
aspect assume attempt automatic automatically available avoid avoids aware awesome bad based basic basically
basics began begin beginning begins behave behavior behaviour believe believed belong benefit benefits best
better big bigger biggest bit bits boring bottom break bring brings broken brought build building builds built
button buy buying call called calling calls came care careful carefully case cases cause caused causes certain
certainly chance change changed changes changing check checked checking choice choices choose chooses choosing
chose chosen clear clearly click clicked clicking clicks close closed closer closes collection come comes
coming common commonly complete completed completely complex concept concepts consider considered consist
consists contain contained containing contains content contents continue continued continues control convert
corresponding correct correctly couple course create created creates creating current currently custom daily
date dates day days deal decide decided decision decisions deep default defaults define defined depend
depending depends describe described describes description desired despite detail detailed details determine
determines did differ difference differences different differently difficult direct directly disable disabled
discuss discussed discussion display displayed displaying displays double during earlier early easier easily
easy edit effect effective effort eight either eleven empty enable enabled enables encounter end ended ending
ends enjoy ensure ensures enter entering entire entirely equal equivalent error errors essential evening
eventually exact exactly example examples exist existing exists expect expected experience explain explained
explains explore extra face fact facts fail failed fails fair fairly fall falls false familiar far fast faster
favorite feature features feel feels feeling felt field fields fifth figure file files fill final finally find
finding finds fine finish finished first fit fits five fix fixed fixes fixing fold folks follow followed
following follows force forget forgot form format found four free frequently friday fri front full fully
function functions future gave general generally give gives giving glad go goal goals good great greater
greatest group groups grow guess guide half hand handle handles handy hang happen happened happening happens
happy hard harder hardly have hear heard held hello help helped helpful helping hence hidden high higher
highest highly hit holds home hope hot hour hours huge idea ideas ideal identify immediately important improve
improved improvement improvements improves include included includes including incorrect increase indicate
indicates individual info information initial initially input insert interested interesting issue issues item
items job join june july january february march april august september october november december jan feb mar
apr jun jul aug sep sept oct nov dec keep keeping keeps kept key keys kinda knew know knowing known knows lack
large larger largest last lasts latest layer lead leads learn learned learning learns leave leaves leaving led
left length lessons letting level levels lies limit limited limits line lines link linked links list lists
little live lives living load local located location long longer longest look looked looking looks lose loses
lost love loved low lower main mainly maintain major make makes making manage managed manually mark marked
match matches matter matters mean meaning means meant meet meeting meetings mention mentioned method methods
middle mind minimum minor minute minutes miss missed missing mode modified modify moment monday mon month
monthly months morning move moved moves moving multiple name named names national natural nature necessary
need needed needing needs negative new newer newest next nice night nine non normal normally notable note
noted notes notice noticed number numbers object obvious obviously occasionally occur occurs offer offers
official old older omit opening open opens opposite option optional optionally options order ordered original
overview owned page pages pair part particular particularly parts pass passed past pay people percent perform
performed period person personal pick picked piece pieces place placed places plan planned planning plans play
please plenty point points poor position possible possibly post potential potentially practice prefer
preferred prepare present press prevents previous previously primarily primary prior probably problem problems
process produce proper properly properties property provide provided provides providing public pull purpose
push put puts putting quality question questions quick quickly quote ran random range rarely rate reach read
reader reading reads ready real realize reason reasons receive recent recently recommend recommended reduce
reduces refer reference references refers regular regularly related relevant rely remain remains remember
remembered remind remove removed removes removing repeat replace replaced required requirement requirements
requires require respective respectively rest result results return returns right room row rows rule rules run
running runs safe said same saturday sat save saved saves saw say saying says screen search second seconds
section sections see seeing seem seems seen select selected selecting selection sell send sense sent separate
separately series serious set sets setting settings setup seven several share shared short shorter show showed
showing shown shows side similar similarly simple single situation six size skip slightly slow slower small
smaller solution solve solved sort sorted sounds source sources space special specific specifically specified
specify spend spent stand start started starting starts state stated statement stay step steps stop stopped
store stories story straight strong stuff style subject success successful successfully suddenly suggest
suggested suggestion suggestions suitable sunday sun super support supported supports supposed sure switch
take taken takes taking talk talked talking task tasks tell tells ten tend tends term terms test text thank
thanks thing things think thinking thinks third thirty thought thoughts thousand three thursday thu time times
tip tips title titles today todo told tomorrow tonight took top topic topics total totally touch tried tries
trouble true truly try trying tuesday tue turn turned turns twelve twenty twice two type types typical
typically unable understand understanding understood unfortunately unique unit unknown update updated updates
usage use used useful user users uses using usual usually utilize valid value values variety various vary
version versions view viewed viewing views visible wait waiting walk want wanted wants warning watch wednesday
wed week weekly weeks went wide win wish wonder wondering word words work working works world worry worse
worst worth write writes writing written wrong wrote year years yesterday young
""".split()
)
"""English words too general to file a note under; in a two-word phrase they may stand, in front only."""

PAST = frozenset(
    """
    arose awoke ate beat became began bent bet bled blew bore bought bred broke brought built burnt came caught chose
    clung cost crept cut dealt did dreamt drew drank drove dug dwelt fed fell fled flew flung forbade forgave forgot
    fought froze gave grew held hid hung hurt kept knelt knew leant leapt learnt led lent lost made meant met paid put
    quit rang ran rode rid sang sank sat saw sent sewed shook shone shot shrank shut slept slid smelt sold spent spilt
    spoilt spoke sped spun split sprang stole stood strode struck stuck stung stank strove swam swept swore swung
    taught thought threw took tore told understood went wept woke won wore wove wrote
    """.split()
)
"""English verbs of the past that no ending shows: with a noun before they are half a sentence."""

AMOUNTS = frozenset(
    """
    am pm eur usd gbp chf cad aud jpy km cm mm dm nm kg mg ml cl dl hl lb lbs oz ft yd mph kmh kph kwh mwh wh kw mw gb
    mb kb tb gib mib hz khz mhz ghz db kcal kj ppm pct tbsp tsp tbs ltr sqm qm qkm hrs hr mins secs min sec std stk
    stck approx ca resp incl excl inkl exkl zzgl bzgl avg max mio mrd tsd etc vgl evtl ggf dept misc fig figs nr nos
    vol pp bzw usw abb tab kap bd jg
    """.split()
)
"""Units and abbreviations: never what a note is about."""

MEASURES = frozenset(
    """
    grad degrés grados gradi graus degree degrees celsius fahrenheit kelvin percent prozent metre metres meter meters
    mile miles inch inches foot feet yard yards acre acres hectare hectares litre litres liter liters gallon gallons
    pint pints quart quarts cup cups spoon spoons tablespoon tablespoons teaspoon teaspoons ounce ounces pound pounds
    gram grams gramm kilo kilos tonne tonnes ton tons stone bar volt volts watt watts amp amps ampere newton joule
    joules calories hertz lumen pixel pixels byte bytes euro euros dollar dollars cent cents franken rappen pfund zoll
    meilen sekunden knots bucks quid rows
    """.split()
)
"""Behind a number, a measure; elsewhere words like any other."""

GERMAN = frozenset(
    """
ab aber januar februar märz april mai juni juli august september oktober november dezember okt dez mär abbildung
absatz abschnitt anhang fußnote kapitel tabelle abend euro abends aktuell alle allem allen aller allerdings
alles allgemein als also alt am an ander
andere anderem anderen anderer anderes anders anfang anstatt antwort arbeiten art auch auf aufgabe aufgaben
aus ausserdem außer außerdem bald bei beide beiden beim beispiel beispiele bereits besonders besser beste
besten bevor bin bis bisher bist bitte brauche brauchen braucht bzw ca circa da dabei dadurch dafür dagegen
daher dahin damals damit danach daneben dann daran darauf daraus darf dargestellt darin darum darunter darüber
das dass davon davor dazu dein deine deinem deinen deiner dem demnach den denen denn dennoch der deren
derselbe des deshalb dessen desto deswegen dich die dienstag dies diese diesem diesen dieser dieses ding dinge
dir direkt doch donnerstag dort drei dritte du durch dürfen eben ebenfalls ebenso egal eher eigen eigene
eigentlich ein eine einem einen einer eines einfach einige einigen einiges einmal eins einzelne ende endlich
entweder er erst erste erstellen ersten erster es etwa etwas euch euer eure fall falls fast finde finden
findet folgende folgenden folgt fragen frage freitag fünf für ganz ganze ganzen gar geben gegen gegenüber gehe
gehen geht gemacht genau genug gerade gern gerne gestern gibt ging gleich groß große großen größer gut gute
guten guter hab habe haben hallo halt hat hatte hatten heute heutige hier hin hinter hinzu hoch ich idee ihm
ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem info insbesondere insgesamt ins ist ja jahr jahre
jahren je jede jedem jeden jeder jedes jedoch jemand jene jetzt kann kannst kaum kein keine keinem keinen
keiner klar klein kleine kleinen kommen kommt konnte können könnte könnten lang lange lassen laut lässt leider
letzte letzten letzter lieber liegt machen macht mal man manche manchmal mehr mein meine meinem meinen meiner
meist meisten mensch menschen mich minute minuten mir mit mittag mittwoch möchte mögen möglich monat monate
monaten montag morgen morgens muss muß müssen musste nach nachdem nachher nachmittag nacht natürlich neben
nein neu neue neuen neuer neues nicht nichts nie niemals niemand noch nochmal notiz notizen nun nur nutzen ob
oben oder oft ohne paar pro punkt punkte recht richtig sache sachen sagen sagt sagte samstag schnell schon
sehen sehr sei seid sein seine seinem seinen seiner seit seite seiten selber selbst sich sicher sie siehe
sieht sind so sobald sogar solche soll sollen sollte sollten somit sondern sonntag sonst sowie sowohl später
statt stehen steht stunde stunden tag tage tagen teil thema themen trotz trotzdem tun über überall übrigens
uhr um und uns unser unsere unserem unseren unserer unten unter usw vergessen vergiss verwenden verwendet viel
viele vielen vielleicht vier voll vom von vor vorbei vorher vorne während wann war ward waren warst warum was
wäre wegen weil weise weiter weitere weiteren weiteres weitergehen welche welchem welchen welcher welches
wenig wenige weniger wenn wer werde werden wie wieder wieso will wir wird wirklich wissen wo woche wochen wohl
wollen wollte worden wurde wurden würde würden zehn zeigen zeigt zeit ziemlich zu zuerst zuletzt zum zumindest
zur zurück zusammen zwar zwei zweite zweiten zwischen
""".split()
)

FRENCH = frozenset(
    """
a à afin ai ainsi ajouter alors an année années ans après as assez au aucun aucune aujourd'hui aujourd auprès
auquel aussi autant autour autre autres aux auxquels avaient avais avait avant avec avez avoir avons ayant
beaucoup bien bon bonne bonjour bref c'est ça car ce ceci cela celle celles celui cependant certain certaine
certaines certains ces c cet cette ceux chaque chez chose choses comme comment contre d dans de début dehors
déjà demain depuis dernier dernière des dès dessous dessus deux devant devoir devrait dimanche dire dit dois
doit doivent donc dont du durant elle elles en encore enfin ensuite entre environ es est et étaient était été
être eu eux exemple façon faire fais fait faites falloir faudra faut fin fois font grâce grand grande grandes
grands hier hors ici il ils j je jeudi jour journée jours jusqu jusque l la là le lequel les lesquels leur
leurs lors lorsque lui lundi m ma mais malgré mardi matin me même mêmes mercredi merci mes mettre mieux moi
moins mois mon moment n ne ni niveau non nos notamment note notes notre nous nouveau nouveaux nouvelle
nouvelles on ont ou où oublier oui par parce parfois parmi part partie pas passer pendant penser personne
personnes petit petite petits peu peut peuvent peux plus plusieurs plutôt point pour pourquoi pourrait pouvoir
premier première près presque prendre faudrait rêvé prochain prochaine prévoir puis puisque qu quand que quel
quelle quelles quelque quelques quels qui quoi rien s sa samedi sans sauf se selon semaine semaines sera
serait ses si sien simplement soir sois soit son sont sous souvent suis sur surtout t ta tandis tant te tel
telle tels temps tes toi ton toujours tous tout toute toutefois toutes très trois trop trouver tu un une
utiliser va vais vendredi vers veut veux viens vient voici voilà voir vos votre vous vraiment vu y ème
""".split()
)

SPANISH = frozenset(
    """
a acerca además ahora al algo alguien algún alguna algunas alguno algunos allá allí ambos año años ante antes
aquel aquella aquellas aquellos aquí así aún aunque ayer bajo bastante bien buen buena buenas bueno buenos
cada casi cerca cierto comer como cómo con conmigo contra cosa cosas creo cual cuál cuales cualquier cuando
cuándo cuanto cuatro da dar de debajo debe deben deber debería decir del demás demasiado dentro desde después
detrás dice día días dijo domingo donde dónde dos durante e ejemplo el él ella ellas ellos embargo en encima
entonces entre era eran eres es esa esas ese eso esos esta está estaba estado están estar estas este esto
estos estoy fin forma fue fuera fueron gran grande grandes gracias ha haber había habían hace hacen hacer
hacia haciendo han hasta hay haya he hecho hemos hola hora horas hoy hubo igual incluso ir jamás jueves junto
la lado las le les llegar llevar lo los luego lugar lunes mal manera mañana más martes mayor me media mediante
medio mejor menos mes meses mi mí mía miércoles mientras mil mis misma mismas mismo mismos momento mucha
muchas mucho muchos muy nada nadie ni ningún ninguna ninguno no noche nos nosotros nota notas nuestra nuestras
nuestro nuestros nueva nuevas nuevo nuevos nunca o olvidar os otra otras otro otros para parece parte partir
pasado pero poca pocas poco pocos podemos poder podría por porque pronto puede pueden puedo pues punto que qué
quien quién quienes quiere quiero quizás realmente recordar sábado sabe se sea según segundo seis semana
semanas ser será sería si sí sido siempre siendo siglo sin sino sobre sola solamente solo sólo somos son soy
su sus suya suyo tal también tampoco tan tanta tantas tanto tantos tarde te tener tengo tenía ti tiempo tiene
tienen toda todas todavía todo todos tomar trabajo tras través tres tu tú tus último última últimos un una
unas uno unos usar usted ustedes va vamos van varias varios veces ver vez viernes y ya yo
""".split()
)

ITALIAN = frozenset(
    """
a abbiamo adesso ad agli ai al alcuni alla alle allo allora anche ancora anno anni appena avere aveva avevano
bene c'è ch che chi ci ciò come con contro cosa così cui d da dagli dai dal dalla dalle dallo degli dei del
della delle dello dentro di domani dopo dove dovrebbe due e è ed era erano essere fa fare fatto fino fra già
giorno giorni gli grande ha hanno ho i il in infatti invece io l la le lei li lo loro lui ma mai me meglio
meno mentre mi mia mie miei mio molta molte molti molto nei nel nella nelle nello niente no noi non nostra
nostro nulla o ogni oggi oppure ora per perché perciò però più poco poi possono prima proprio può qualche
quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo qui quindi s sarà se
sei sempre senza si sia siamo solo sono sopra sotto sta stata stato stesso su sua sue sugli sui sul sulla
sulle suo suoi tra tre tu tutta tutte tutti tutto un una uno va vi volta
""".split()
)

PORTUGUESE = frozenset(
    """
a ainda além algo alguém algum alguma algumas alguns ali ambos amanhã antes ao aos apenas aquela aquelas
aquele aqueles aqui as assim até bem cada coisa coisas com como contra contudo da daquele das de dela dele
deles demais depois desde dessa desse desta deste dia dias disso do dois dos duas durante e é ela elas ele
eles em então enquanto entre era eram essa essas esse esses esta está estão estar estas estava este estes eu
exemplo faz fazer foi foram há hoje isso isto já lá lhe lo logo mais mas me mesma mesmo meu meus minha minhas
muita muitas muito muitos na nada não nas nem nenhum nessa nesse nesta neste no nos nós nossa nosso num numa
nunca o onde ontem os ou outra outras outro outros para parte pela pelas pelo pelos perto pode podem pois por
porque pouco pra primeiro quais qual qualquer quando quanto quase que quê quem se seja sem sempre sendo ser
será seu seus si sido só sob sobre somos sua suas também tanto tão te tem têm tempo tenho ter teu toda todas
todo todos três tu tudo um uma umas uns vai você vocês vos
""".split()
)

DUTCH = frozenset(
    """
aan af al alle alleen alles als altijd ander andere anders ben bij bijna daar daarom dan dat de deze die dit
doen door dus echt een eens en er eerst gaan gaat ge geen geweest goed haar had hadden heb hebben heeft heel
hem het hier hij hoe hun iemand iets ik in is ja je jij jou jouw jullie kan komen komt kunnen kunt maar maken
me meer men met mij mijn moet moeten morgen na naar niet niets nog nu of om omdat ons onze ook op over per
samen te tegen ten toch toen tot tussen u uit uw van vandaag veel via voor waar waarom wanneer want waren was
wat we weer wel werd wie wij wil willen wordt worden zal ze zei zelf zich zij zijn zo zoals zonder zou zullen
""".split()
)

ARABIC = frozenset(
    """
في من على إلى الى عن مع هذا هذه ذلك تلك هؤلاء هو هي هم هن أنا انا نحن أنت انت أنتم التي الذي الذين اللذين
اللاتي ما ماذا متى أين اين كيف لماذا لم لن لا ليس ليست كان كانت كانوا يكون تكون قد لقد كل بعض أي اي أن ان إن
أنه انه إنه أنها انها إنها أو او ثم بل حتى إذا اذا إذ لو لكن لكنه غير بين بعد قبل عند عندما منذ حول خلال تحت
فوق أمام وراء هنا هناك هنالك الآن اليوم غدا غداً أمس أيضا أيضاً ايضا فقط جدا جداً أكثر اكثر أقل كثير كثيرا
قليل مثل حيث كما لأن لان لذلك فإن فان به بها له لها لهم لي لك لنا فيه فيها منه منها عليه عليها إليه إليها عنه
عنها وهو وهي وهذا وهذه ومن وفي وعلى وما ولا ولم وقد وكان وكانت وأن وان يا نعم كلا يجب يمكن يوم شيء أشياء
الأشياء نفس أحد واحد واحدة ذات يتم تم جميع كلها كله ضد أول اول
""".split()
)

RUSSIAN = frozenset(
    """
а без более больше будет будто бы был была были было быть в вам вас вдруг ведь во вот впрочем все всегда всего
всех всю вы где да даже два день для до другой его ее её если есть еще ещё ж же за завтра здесь и из или им
иногда их к как какая какой когда конечно кто куда ли лучше между меня мне много может можно мой моя мы на
надо наконец нас не него нее ней нельзя нет ни нибудь никогда ним них ничего но ну нужно о об один он она они
опять от очень перед по под после потом потому почти при про раз разве с сам свою себе себя сегодня сейчас со
совсем так такой там тебя тем теперь то тогда того тоже только том тот три тут ты у уж уже хорошо хоть чего
чем через что чтоб чтобы чуть эти это этого этой этом этот эту я
""".split()
)

LANGUAGES: dict[str, frozenset[str]] = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
    "ar": ARABIC,
    "ru": RUSSIAN,
}
_EVERYTHING = frozenset().union(*LANGUAGES.values())


_ALSO_ENGLISH = frozenset(
    "door die war hat man art pour plus comment son fin if tu sale las per come era mal van met want were ten".split()
)
"""Small words elsewhere and English ones, too: alone they show no language."""


def language(words: Sequence[str]) -> str:
    """The language whose stop words are the most frequent among these lower-case words; '' where none shows."""
    counts = dict.fromkeys(LANGUAGES, 0)
    for word in words:
        if word in _EVERYTHING:
            for name, stops in LANGUAGES.items():
                if word in stops:
                    counts[name] += 1
    best = max(counts, key=lambda name: counts[name])
    if counts[best] == 1 and best != "en" and any(word in _ALSO_ENGLISH and word in LANGUAGES[best] for word in words):
        return ""
    return best if counts[best] else next((_SCRIPTS[mark] for word in words if (mark := _script(word))), "")


_SCRIPTS = {"ARABIC": "ar", "CYRILLIC": "ru"}


def _script(word: str) -> str:
    name = "" if word.isascii() else unicodedata.name(word[0], "").partition(" ")[0]
    return name if name in _SCRIPTS else ""


@cache
def stop_words(name: str) -> frozenset[str]:
    """Words that can't be a tag in this language. Unknown language: those of all of them."""
    if name == "en":
        return ENGLISH
    return LANGUAGES[name] | ENGLISH if name else _EVERYTHING
