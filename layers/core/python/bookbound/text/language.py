"""Questions in another language than the book: detected by script, else by function words.

Refusing a question in the book's own language is the worse error, so few or mixed signs tell nothing. Names,
code, quotations and technical terms are no signs, in any language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from operator import itemgetter

_WORDS = {
    "en": """about above after all also am an and any are aren as at be because been before being below
        between both but by can cannot could couldn describe did didn difference do does doesn doing don
        during each either else ever every explain few for from had has have having he hello help her here him
        his how if in into is isn it its just keep know let like ll many may me mean meaning means might more
        most much must my need needed neither never nor not of off often on once only or other our out over
        please same shall she should shouldn since so some something still such tell than that the their them
        then there these they this those through to too under until up us ve very want was wasn we were what
        when where whether which while who whom whose why will with without won would wouldn yes yet you
        your""",
    "de": """aber alle als am an auch auf aus bedeutet bei beim benutze benutzt bis bitte brauche braucht
        damit dann das dass dem den der des dessen die dient diese diesem dieser dieses doch drei du durch ein
        eine einem einen einer eines er erklär erkläre erklären erläutere es etwas fuer funktioniert für gibt
        habe haben hat heisst heißt hier ich ihr im in installiere installieren installiert ist ja kann kannst
        kein keine können mache machen man mein meine meinen mir mit muss müssen nach nein nenn nenne nicht
        noch nur ob oder ohne sein sich sie sind soll sollte sowie starte starten ueber um und uns unter
        unterscheidet unterschied verwende verwendet viel viele vom von vor wann war warum was welche welchem
        welchen welcher welches wenn wer werden wie wieso wieviel wieviele wir wird wo wofuer wofür wozu würde
        zeige zu zum zur zwei zwischen über""",
    "fr": """aux avec avez avoir besoin bien ce ceci cela ces cet cette chez combien comment dans de des
        difference différence différences dois doit donc donne donner du elle elles en entre est et etre
        existe explique expliquer expliquez faire fait faut fonctionne fonctionnement ici il ils installer je
        la le lequel les leur leurs lui mais me mes moi mon même ne nous on ont ou où par parle pas peut peux
        plus plusieurs pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se sert ses
        signifie son sont sur te tous tout toute toutes tu un une utilise utiliser utilisé vers votre vous
        être""",
    "es": """al algo algún antes aquí así cada como con crear creo cual cuales cuando cuanto cuantos cuál
        cuáles cuándo cuánta cuántas cuánto cuántos cómo dame de debe debo del describe desde después
        diferencia diferencias dime donde dónde ejemplo el ella ellos en entre era eres es esa ese eso esta
        estas este esto estoy está están existe existen explica explicar explique explícame fue funciona
        funcionan ha hace hacer hacia hasta hay instala instalar la las le lo los me mi mientras muy más
        necesita necesito ni no nos nosotros otra otro para pero poder por porque puede pueden puedo que quien
        quiero quién qué se según ser si significa sin sirve sirven sobre son su sus sí también tener tengo
        tiene tienen tipo tipos todo todos tu tus un una uno unos usa usamos usan usar usted utiliza ya yo
        él""",
    "pt": """ao aos até cada com como criar da das de depois diferenca diferença do dos dê ela ele eles em
        entre era essa esse esta este está estão eu exemplo existem explica explicar explique faz fazer faço
        foi funciona funcionam há instalar isso isto já lhe mais mas me meu minha muito na nas nem no nos numa
        não nós onde os ou para pela pelo pelos pode podem por porque posso precisa preciso quais qual quando
        quantas quanto quantos que quem quero quê se sem ser serve será seu seus significa sobre sua suas são
        só também tem tenho ter tipos todos tudo têm um uma umas uns usa usado usamos usar utiliza você vocês
        às é""",
    "it": """agli ai al alla alle anche che chi ci cioè come con cos cosa così creare cui da dal dalla dei del
        della delle dello di differenza differenze dimmi dove ed era esempio esiste esistono essere fa fammi
        fare fra funziona funzionano gli ha hai hanno ho il in installa installare io la le lo loro ma mi mia
        mio nel nella nelle non ogni per perche perchè perché più poi possiamo posso puoi può qual quale quali
        quando quanta quante quanti quanto quella quello questa queste questi questo se senza serve servono si
        sia significa sono spiega spiegami spiegare sta su sugli sul sulla suo tra tutti tutto un una uno usa
        usano usare usato utilizza vengono viene voglio è""",
    "nl": """aan alle als beschrijf bij daar dat de deze die dit doe doet door een en er gaat gebruik
        gebruiken gebruikt geef geen heb hebben heeft hem het hier hij hoe hoelang hoeveel ik in installeer
        installeren is ja je jij kan kun kunnen kunt leg maak maar maken meer met mij mijn moet moeten na naar
        niet nodig nog of om onder ons ook op over starten te tot tussen uit uitleg van veel verklaar verschil
        verschillen volgens voor voorbeeld waar waarom waarvoor wanneer was wat we welk welke werken werkt wie
        wij worden wordt zal zich zijn zo zonder zou""",
    "pl": """aby albo ale bez by być był było będzie chcę ci co coś czego czy czyli czym dla dlaczego do
        działa gdy gdzie go ich ile ilu im ja jak jaka jaki jakich jakie jakiego jakiej jako jednak jest
        jestem jeśli już każdy kiedy kto która które który których ma mają mam mi między mnie mogę moje może
        można musi muszę na nad nie nim od ona oni opisz oraz po pod podaj polega pomiędzy potrzebuję powiedz
        przed przez przy przykład roznica różni różnica różnią sie się skąd sluzy są służy służą ta tak także
        tego tej ten to tym używa używamy używany używać we więc wyjaśnij wytłumacz za zainstalować ze znaczy
        że żeby""",
    "cs": """aby ale ani až bez bude byl být co další dej do funguje fungují ho ja jak jako jakou jaky jaká
        jaké jaký je jeho jejich její jen ještě jsem jsou kde kdo kdy ke kolik kterou která které který lze
        mají mezi mi mohu musí má mám mít může můžu na nainstalovat nainstaluji nebo není než od po pod podle
        pomocí popiš potřeba potřebuji používají používá pro proč přes při příklad rozdil rozdíl se si slouží
        sluzi ta tak také tedy ten tento to tu už ve vysvetli vysvětli za ze znamená že""",
    "sk": """aby aj ako aká aké aký ale alebo ani bez bude by byť do funguje fungujú ho ich je jeho kde kedy
        koľko kto ktorá ktoré ktorý ma majú medzi musí má mám môže môžem na nainštalovať nainštalujem než nie
        od opíš po pod podľa pomocou potrebujem použiť používa používajú pre prečo pri príklad rozdiel sa si
        sluzi slúži som sú tak tento to už vo vysvetli vysvetlite za znamená zo čo čím že""",
    "hr": """ako ali bez bi biti da do ga gde gdje ili im ima imaju instalira instalirati iz izmedju između ja
        je jesu još kada kako kaže koja koje koji kojim koliko korist koristi koristimo koristiti li ma mi
        mogu moram može na nije nisu objasni od ova ovaj ove po pod pri primer primjer protiv radi razlika
        razlike sa samo se služi sto su ta taj te to treba uz za zasto zašto zbog znači čega čemu šta što""",
    "ro": """această acest aceste ale am arată are asta au avem ca care ce cea cel cele cine cu cum când cât
        câte câți da dacă de deci descrie despre diferenta diferența diferență din dintre după ei este explica
        explică face fi fie folosesc foloseste folosește folosim fost functioneaza funcționează fără inseamna
        instala instalează la lor lui mai mea meu mi nu or pe pentru poate pot prin sa sau se si spre sub sunt
        să trebuie un una unde unei unui îi în înseamnă și""",
    "hu": """ahol az azt be csak de egy ehhez el ez ezt fel fog ha használ használjuk használják használunk
        hogy hogyan hol honnan hány jelent jelenti kell kellenek ki közt között közötti különbség lehet ma
        magyarázd meg melyek melyik mennyi mert mi mikor milyen mire mit mivel mié miért működik működnek nem
        nincs nélkül néven például szolgál szükség szükséges tud vagy való van vannak volt által én és""",
    "tr": """acikla acıkla ama amacı arasindaki arasında arasındaki açıkla açıklar bana bir biz bu burada
        calisir da daha de degil değil diye en fark farklar farkı gerek gerekir gerekli göre hangi hangisi hem
        her icin ile ise için kac kadar kaç ki kim kullanarak kullanmak kullanılan kullanılır kullanılıyor
        kullanıyoruz kurulur mi midir mu mü mı mıdır nasil nasıl ne neden nedir nedirler nelerdir nerede neye
        niye niçin olan olarak olmadan olur oluşturabilirim oluşturulur sonra tane var ve ver verir veya ya
        yapar yapmak yapılır yapılıyor yarar yok çalışır çalışıyor çok örnek şey""",
    "vi": """anh bao bạn bằng bị bởi cho chúng cài các cách cái có cũng cần của dùng em giúp giải giữa gì hãy
        hơn khi khác không là làm muốn mà mấy một nghĩa ngày người nhau nhiêu nhiều như những nào này nên phải
        ra sao sẽ số sử sự theo thì thích thế thể trong trên tôi tại tới từ việc và vào vì về với đi điều đâu
        đã đó được đặt đến để định ở""",
    "id": """ada adalah agar akan antara apa apabila apakah atau bagaimana bagi bahwa beberapa berapa berikan
        bisa bisakah buat cara contoh dalam dan dapat dari dengan di digunakan dipakai fungsi gunanya harus
        hubungan ini itu jelaskan jika juga kami kapan karena ke kenapa kerja kita lebih maksud mana manakah
        melalui memakai membuat mengapa menggunakan menginstal menjalankan merupakan oleh pada perbedaan perlu
        saat saja saya sebagai sebuah sebutkan secara sedangkan siapa sudah supaya tanpa tentang terhadap
        tersebut tiap tidak tolong untuk yaitu yang""",
    "sv": """alla använda användas använder används att av bara behöver behövs beskriv betyder bli blir de den
        dess det detta dig din du där eller en ett finns från fungerar få för förklara genom gör göra ha han
        har hos hur innan installerar inte jag kan krävs man med mellan men mig min mot måste möjligt ni när
        någon något några och om på sig sin ska skall skillnad skillnaden skillnader skriv som till under upp
        ut utan vad var vara varför varje vem vi via vid vilja vilka vilken vilket vill än är även år åt""",
    "no": """alle at av bare beskriv betyr ble blir bruke bruker brukes de den denne der dere det dette du
        eller en er et etter finnes for fordi forklar forskjell forskjellen forskjeller fra fungerer få gi
        gjør gjøre ha han har hos hva hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor ikke inn
        installerer jeg kan kreves man med meg mellom men min mot mye må noe noen når og om opp oss på samme
        seg sin skal skriv slik som så til trenger under ut uten ved vi vil virker vår være å""",
    "da": """af alle at bare beskriv betyder blev bliver brug bruge bruger bruges de den denne der det dette
        du efter eller en er et findes for fordi forklar forskel forskelle forskellen fra fungerer få giv gør
        gøre ha han har hos hvad hvem hvilke hvilken hvilket hvis hvor hvordan hvorfor ikke ind installerer
        jeg kan kræver man med meget mellem men mig min mod må nogen noget nogle når og om op os på samme sig
        sin skal skriv som så sådan til trenger ud uden under ved vi vil virker vores være""",
    "fi": """asennetaan asentaa ei eivät eli en ennen entä ero eroa eroavat esimerkki että he hän ilman ja
        joka jos jotka jotta kanssa kerro kertoa koska kuin kuinka kuka kun kuten käytetään käyttää käytän me
        mihin miksi mikä mikäli millainen milloin millä minkä minä missä mistä miten mitkä mitä monta mukaan
        mutta myös ne niin nämä olen oli on onko ovat pitää saa se sekä selitä siis sitten tai tarkoittaa
        tarvitaan tarvitsen te toimii toimivat tämä tässä voi voidaan voiko voin voinko välillä""",
    "ca": """amb aquest aquesta cap com des diferència el els em en entre està fa fem fer funciona ha hi
        instal jo la les li meu molt més no on per perquè però pot puc quan quant quants que qui quin quina
        quines quins què sense serveix servir seu seva si són també tenen té un una uns utilitza va van és""",
    "tl": """ako alin ang ano anong at ay ba bakit dahil dapat din gamit gamitan gamitin gawin gumagana hindi
        ilan ilang ipaliwanag ito kailan kailangan kami kapag kay kaya ko kung lang maaari maaaring may
        mayroon mga mo na naman nang natin ng ngayon ni nila nito niya paano pagitan pagkakaiba para pero
        pwede sa saan sila silang sino siya tayo upang wala yung""",
    "sw": """bila gani hii hiyo huo huu ili inafanya je jinsi kama kati katika kila kuhusu kuna kutumia kwa
        kwamba kwenye lakini leo maana mimi na namna naweza ndani ngapi ni nina ninaweza nini pia tofauti
        tunatumia ule unaweza wa wakati wapi ya yake yangu za""",
    "ur": """aap aapko acha agar apna aur baghair bana banane banate banaye baray bare bataein bataen batain
        bataiye batao bina chahiye chal chalta dein dono faraq farq haan hai hain hamein hamen ho hoga hoon
        hota hotay hote hoti hua iska iske iski isko istamal istemal jab jaise jata jate jati kaam kab kahan
        kaisay kaise karein karen karna karne karo karta karte karti kaun kaunsa kaunse ke ki kis kise kisi
        kitna kitne kitni kiya kiye ko koi kon konsa konsi kya kyaa kyon kyu kyun lekin liay liye magar mai
        main matlab mein mera mere meri misal mujhay mujhe nahi nahin par phir sakta sakte sakti samjhao
        samjhaye se tak tarah tha thi unka wala wale wali woh ya ye yeh zaroorat zaruri""",
}
"""Function words, and the words of asking. `ur` is Urdu or Hindi in Roman letters, told apart by nothing."""

_FAINT_WORDS = frozenset(
    """ada ai ako al ale ali also am an ang as at au ay az ba bare be bi bien by ca cap ci co com comment con
    cos cu cui da dan dat de del den des di die dig din do dos du ed efter ei el em en er era es et fa fi
    fog for fra ga gamit go ha has hat hem her hi him ho hos il in ind ini inn io is iz ja jab je jo kan
    kay ke ki kim ko la las le leg les li lo los ma maar mai main man mas me med men met mi min mo mod mot
    mu na ne ng ni nim no non nor nos not nu od of om on op or os ou out over par per pod por pot pour pre
    pro ra sa se seg serve si sie sin so sobre son sta sto su sub sur são ta tak te ten ter til
    till to tu tud um un und une uns up us ut va van var vara ve ver vers vi via vid vil von wa was wat we
    wo ya yang ye yo you za zu""".split()  # noqa: SIM905 -- a list of words reads best as words
)
"""Words that English texts hold too: as English words, parts of names, abbreviations, commands."""

# A pattern for a word of the script (where words have no spaces between them: for about a word), then its
# languages as `code=pattern` of what it alone has; the last is what the script most likely is.
_SCRIPTS = {
    r"[\u0400-\u04ff]{2,}": (
        r"be=ў kk=[әғқңөұүһ] mk=[ѓќѕ] sr=[ђљњћџј] uk=[іїєґ]|\b(?:що|як|це)\b ru=[ыэё]"
        " bg=ъ[^еяю]|какв|защо ru="
    ),
    r"[\u0600-\u06ff]{2,}": "ps=[ښټډړ] ur=[ٹڈڑںےہھ] fa=[پچژگکی] ar=[ةىيكأإ] ar=",
    r"[\u0900-\u097f]{2,}": "mr=ळ|आहे|काय ne=हुन्छ|गर्ने|छन् hi=",
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{1,2}": "ja=[\u3040-\u30ff] zh=",
    r"[\uac00-\ud7af]{1,4}": "ko=",
    r"[\u0370-\u03ff\u1f00-\u1fff]{3,}": "el=",
    r"[\u0590-\u05ff]{2,}": "he=",
    r"[\u0980-\u09ff]{2,}": "bn=",
    r"[\u0a00-\u0a7f]{2,}": "pa=",
    r"[\u0a80-\u0aff]{2,}": "gu=",
    r"[\u0b80-\u0bff]{2,}": "ta=",
    r"[\u0c00-\u0c7f]{2,}": "te=",
    r"[\u0c80-\u0cff]{2,}": "kn=",
    r"[\u0d00-\u0d7f]{2,}": "ml=",
    r"[\u0d80-\u0dff]{2,}": "si=",
    r"[\u0e00-\u0e7f]{1,4}": "th=",
    r"[\u1000-\u109f]{1,4}": "my=",
    r"[\u1780-\u17ff]{1,4}": "km=",
    r"[\u10a0-\u10ff]{2,}": "ka=",
    r"[\u0530-\u058f]{2,}": "hy=",
    r"[\u1200-\u137f]{2,}": "am=",
}
_KIN = tuple(map(frozenset, (("hr", "bs", "sr"), ("ur", "hi"), ("no", "nb", "nn"), ("id", "ms"))))
"""Languages that are not told apart: a question in one of them is never the other language of its kin."""

_NAMES = """am=Amharic ar=Arabic be=Belarusian bg=Bulgarian bn=Bengali ca=Catalan cs=Czech da=Danish de=German
    el=Greek en=English es=Spanish fa=Persian fi=Finnish fr=French gu=Gujarati he=Hebrew hi=Hindi hr=Croatian
    hu=Hungarian hy=Armenian id=Indonesian it=Italian ja=Japanese ka=Georgian kk=Kazakh km=Khmer kn=Kannada
    ko=Korean mk=Macedonian ml=Malayalam mr=Marathi my=Burmese ne=Nepali nl=Dutch no=Norwegian pa=Punjabi
    pl=Polish ps=Pashto pt=Portuguese ro=Romanian ru=Russian si=Sinhala sk=Slovak sr=Serbian sv=Swedish
    sw=Swahili ta=Tamil te=Telugu th=Thai tl=Filipino tr=Turkish uk=Ukrainian ur=Urdu vi=Vietnamese
    zh=Chinese"""
NAMES = dict(name.split("=") for name in _NAMES.split())
"""ISO 639-1 code → English name, for every code that can be returned."""

_CLEAR, _PLAIN, _FAINT = 4, 2, 1
_ENOUGH, _TIMES = 3, 3
"""A word is clear with five letters or more, or with one that ASCII lacks: no slip of the keyboard makes it.
Another language needs `_ENOUGH` weight, and `_TIMES` the weight that speaks for the book's own."""

_QUOTED = re.compile(
    r"`[^`]*`|\"[^\"]*\"|[“„][^“”„]*[“”]|«[^»]*»|「[^」]*」|(?<!\w)'[^']+'(?!\w)|(?<!\w)[‘‚][^‘’]*[‘’](?!\w)"
)
_CHUNK = re.compile(r"(?P<opens>(?:^|[.?!:¿¡…])[\s¿¡]*)?(?P<text>[^\s'’.,;:?!()\[\]{}¿¡…]+(?:\.\w+)*)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

_LEXICON = {code: frozenset(words.split()) for code, words in _WORDS.items()}
_ALPHABETS = [
    (re.compile(word), [(sign[:2], re.compile(sign[3:])) for sign in signs.split()])
    for word, signs in _SCRIPTS.items()
]


def other_language(question: str, language: str) -> str | None:
    """The ISO 639-1 code of the language that the question is surely in, when that is not the book's.

    Args:
        language: the book's own, as `Policy.language` has it; a region ("pt-BR") makes no difference.

    Returns:
        None when it may be in the book's language, shares its script (but the Latin one), or that is unknown.
    """
    own = _family(language.lower().partition("-")[0])
    if own.isdisjoint(NAMES):
        return None
    text = _QUOTED.sub(" ", unicodedata.normalize("NFC", question))
    words = _words(text)
    return _by_script(text.lower(), words, own) or _by_words(text.lower(), words, own)


def name_of(code: str) -> str:
    """The English name of a language that `other_language` returns ("German"); raises KeyError for others."""
    return NAMES[code]


def _own_words(own: Set[str]) -> Set[str]:
    return frozenset().union(*(_LEXICON.get(code, ()) for code in own))


def _family(code: str) -> frozenset[str]:
    return next((kin for kin in _KIN if code in kin), frozenset({code}))


def _words(text: str) -> frozenset[str]:
    """The words in lower case, without those that look like names or code."""
    text = text.lower() if text.isupper() else text
    words: set[str] = set()
    for chunk in _CHUNK.finditer(text):
        written = chunk["text"].rstrip("-")
        opens = chunk["opens"] is not None and written == written.capitalize()
        if _WORD.fullmatch(written) and (written.islower() or opens):
            words.update(written.lower().split("-"))
    return frozenset(word for word in words if len(word) > 1 or not word.isascii())


def _by_script(text: str, words: Set[str], own: Set[str]) -> str | None:
    """Return the language of most letters, if the rest is little and not in the book's language."""
    count, signs = max(((len(word.findall(text)), signs) for word, signs in _ALPHABETS), key=itemgetter(0))
    against = len(words & _own_words(own))
    if count == 0 or count < _TIMES * against or 2 * count < len(words):
        return None
    if any(code in own for code, _ in signs):
        return None
    return next(code for code, sign in signs if sign.search(text))


def _by_words(text: str, words: Set[str], own: Set[str]) -> str | None:
    """The language whose function words weigh most, when they outweigh those of the book's."""
    mine = _own_words(own)
    others = {code: known for code, known in _LEXICON.items() if code not in own}
    weights = {code: _weight(words & known, mine) for code, known in others.items()}
    code = max(weights, key=weights.__getitem__)
    shared = words & mine & others[code]
    against = _PLAIN * (len(words & mine - shared) + _in_script(text, own)) + _FAINT * len(shared)
    return code if weights[code] >= max(_ENOUGH, _TIMES * against) else None


def _in_script(text: str, own: Set[str]) -> int:
    """Return how many words are in the script of the book's language, when that is not the Latin one."""
    return sum(len(word.findall(text)) for word, signs in _ALPHABETS if any(code in own for code, _ in signs))


def _weight(words: Set[str], shared: Set[str]) -> int:
    """Return the weight of the words; 0 when no word tells alone."""
    faint = {word for word in words if word in shared or word in _FAINT_WORDS}
    if faint == words:
        return 0
    clear = sum(len(word) >= 5 or not word.isascii() for word in words - faint)
    return _CLEAR * clear + _PLAIN * (len(words) - len(faint) - clear) + _FAINT * len(faint)
