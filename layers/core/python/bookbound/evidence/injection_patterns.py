"""The forms that an order to the answerer has, as patterns over one line of text.

A quotation in the line is `STATED` or `MENTIONED` there. Gaps are bounded, and no repetition is repeated
without a bound, so that each takes time linear in the line.
"""

from __future__ import annotations

import re
from functools import cache

import re2

STATED, MENTIONED = "\u2039stated\u203a", "\u2039mentioned\u203a"
"""Placeholders for a quotation: of words that a person claims, and of any others."""

LONGEST = 10_000
"""Characters: no line that a book means to be read has more, and no question has the time to read it."""

_START = (
    r"(?:^|[.!?:;]\s+|\b(?:please|kindly|you (?:must|should|shall|will|have to|need to|are to)) "
    r"(?:now |only |always )?)"
)
_CLAUSE = rf"(?:{_START}|[,–—] ?| - |\b(?:and|then|just|now|instead|simply|always) )"
_REPLY = r"(?:answer|reply|respond)"
_REPLIES = r"(?:answers?|repl(?:y|ies)|responses?)"
_CLAIM = r"(?:say|state|claim|insist|declare|recite|repeat|answer|reply|respond)"
_TOLD = r"(?: with| only| always| exactly| back| simply| instead)*"
_AI = (
    r"(?:AI|artificial intelligence|(?:large )?language model|LLM|chat ?bot|(?:chat ?)?gpt"
    r"|(?:AI |virtual )?assistant)"
)
_MODEL = rf"{_AI}(?: (?:language )?(?:model|assistant|system))?s?"
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|initial|original|system|your|all|any|every|given)"
)
_RULES = (
    r"(?:instructions?|rules?|prompts?|directives?|directions|guidelines?|guardrails?|restrictions?|orders)"
)
_BOOK = r"(?:(?:text)?book|passages?|sources?|excerpts?|citations?|prompt|instructions?|rules?)"
_READER = r"(?:reader|user|student|person|visitor|customer|human|people|everyone|anyone)s?"

_RULES_GIVEN_UP = (
    rf"{_CLAUSE}(?:ignore|disregard|forget|override|overrule|bypass|discard|do not follow|don't follow"
    rf"|stop following|do not obey|don't obey|pay no attention to)\b[^.!?]{{0,40}}\b{_EARLIER}\b"
    rf"[^.!?]{{0,30}}\b{_RULES}\b",
    rf"{_CLAUSE}(?:ignore|disregard|forget|(?:stop|do not|don't)"
    rf" follow(?:ing)?)\b[^.!?]{{0,20}}\b(?:{_RULES}|everything|all)\b"
    r"[^.!?]{0,12}\b(?:you (?:were|have been|know|learned)|so far\W*$|(?:given )?(?:above|before"
    r"|earlier)(?:$|[.,:;!?]| and\b))",
    r"\b(?:new|updated|real|actual|revised) (?:system )?(?:instructions?|prompt|directives?)(?: for"
    r" you)?\s*:",
)

_ROLES = (
    rf"{_START}you(?: are|'re| will be| shall be) (?:now |no longer |henceforth )*(?:an? |the |my |our )"
    rf"(?:[\w-]+,? ){{0,4}}{_MODEL}(?=[\W_]*(?:$|that|who|which|named|called|with|without|in|and|for|from"
    rf"|of|to"
    r"|trained|designed|built|whose|speciali[sz]ed)\b|[\W_]*$)",
    r"\byou are (?:now |going to be |no longer )(?:DAN\b|unrestricted|free (?:of|from)|freed|jailbroken"
    r"|bound by"
    r"|in (?:\w+ )?(?:developer|debug|maintenance|god|admin|dan|jailbreak) mode|acting as|playing|called"
    r"|named)",
    rf"{_START}(?:[^.!?]{{0,40}}, )?from now on,? (?:you (?:are|must|shall|should|have to|(?:will )?(?:only"
    rf" |always )?"
    rf"(?:{_REPLY}|act|speak|say|role-?play|pretend|behave|ignore|obey))|act|speak|say|{_REPLY}|pretend"
    rf"|behave"
    rf"|ignore|obey|every {_REPLIES})\b",
    rf"(?:{_START}|\b(?:to|and|will) )pretend (?:to be|that you|you|like you)\b",
    rf"{_START}(?:(?:now|always|henceforth),? )?(?:act|behave|respond|answer|speak|role-?play) "
    r"(?:as if you|as though you|as an? |as the |like an? )",
    rf"{_START}(?:act|behave|simulate|emulate|impersonate|play)\b[^.!?]{{0,40}}\b{_MODEL}\b",
    r"\bI (?:want|need|would like|order|command|instruct|ask) you to (?:act|behave|role-?play|pretend|play"
    r"|simulate"
    r"|speak|say|answer|reply|respond|ignore)\b",
    rf"\byou are (?:now )?\w+(?: \w+)?, (?:an? |the )(?:[\w-]+ ){{0,3}}{_MODEL}\b",
    r"\b(?:enter|enable|activate|switch (?:in)?to) (?:\w+ )?(?:DAN|jailbreak|god|unrestricted|do anything"
    r" now) mode\b",
)

_ADDRESS = (
    rf"^(?:(?:important |urgent |special |hidden |secret )?(?:note|message|instructions?|memo|attention"
    rf"|notice"
    rf"|reminder|hey|hello|hi|dear)[,:]? )?(?:to |for )?(?:the |any |all |every )?{_MODEL}"
    r"(?: (?:reading|processing|answering|that reads)[^.!?:]{0,40})?(?:,? please\b"
    r"|\s*[,:!—–-]\s+(?=[^.!?]{0,40}\b"
    rf"(?:{_CLAIM}|you|your|tell|ignore|do not|don't|please|must|always|never|forget)\b))",
    rf"^(?:note|message|instructions?|memo|attention|notice|reminder|dear|hey|hello)[,:]? (?:to |for )?"
    rf"(?:the |any |all |every )?{_MODEL}\s*[,:!]",
    rf"\bas an? (?:AI|language model|LLM|chat ?bot)\b[^.!?]{{0,30}}, (?:you|your|please|do|always|never"
    rf"|{_CLAIM})\b",
    rf"\b{_MODEL}\b[^.!?‹]{{0,60}}\b(?:must|should|shall|has to|have to|will)\b[^.!?‹]{{0,20}}\b{_CLAIM}\b"
    rf"[^.!?‹]{{0,20}}{STATED}",
)

_CHAT_MARKS = (
    r"^(?:<\|(?:im_start|system|assistant|start_header_id|begin_of_text)\|>|\[/?INST\]|<<SYS>>|<system>"
    r"|\[system\]"
    r"|<assistant>|<instructions?>)(?!\W*(?:and|or|is|are|was|marks?|tags?|tokens?|begins?|ends?|opens?|means"
    r"|stands|delimits?|separates?|tells?|shows?)\b)",
    r"^assistant ?: |^(?:instruction|response|assistant) ?:$",
    r"^\W{0,3}(?:system|developer|administrator|admin|root)(?: (?:prompt|message|instruction|note|override))?"
    r"\W{0,2}:\s*(?=[^.!?]{0,40}\b(?:you (?:are|must|will|shall)|your (?:answer|reply|task)|ignore|disregard"
    rf"|{_REPLY}|say|from now on|override)\b)",
)

_REPLY_DEMANDS = (
    rf"{_CLAUSE}(?:begin|start|end|finish|open|close|conclude|prefix|preface|prepend"
    rf"|append)\b[^.!?]{{0,20}}\b"
    rf"(?:your(?: \w+)? (?:{_REPLIES}|output|message)|(?:every|each|all|any)(?: of your)?(?: \w+)?"
    rf" {_REPLIES})\b"
    r"[^.!?]{0,20}\b(?:with|by|in|using)\b",
    rf"{_CLAUSE}(?:add|append|include|insert|put|place|mention|use|write|print)\b[^.!?]{{0,60}}\b"
    rf"(?:in|to|into|at the (?:end|start|beginning|top) of) (?:every|each|all|any)(?: of your)?(?: \w+)?"
    rf" {_REPLIES}\b",
    rf"{_CLAUSE}(?:add|append|include|insert|put|mention|use|write)\b[^.!?‹]{{0,30}}{STATED} "
    rf"(?:in|to|into|at the (?:end|start|beginning|top) of) your(?: \w+)? {_REPLIES}\b",
    rf"{_CLAUSE}(?:{_REPLY}|say|output)\b(?: \w+){{0,3}}? (?:only|solely|exclusively|nothing but|nothing"
    rf" except"
    r"|exactly|verbatim)(?:$| ?(?:with|by|this|that|the|as|in|one|:|‹))",
    rf"{_CLAUSE}(?:only|just|simply|exclusively) (?:say|{_REPLY})(?: with\b|:| ‹| the (?:word|phrase"
    rf"|sentence)s?\b)",
    rf"{_CLAUSE}(?:do not|don't|never) (?:mention|cite|reveal|refer to|disclose|admit|name|quote|tell)\b"
    rf"[^.!?]{{0,40}}\b(?:the|this|these|any|your|that)\b[^.!?]{{0,12}}\b{_BOOK}\b",
    rf"{_CLAUSE}(?:reveal|repeat|print|output|show|display|disclose|leak|recite|translate|encode|give|tell"
    rf"|write|dump"
    r"|quote|copy)\b[^.!?]{0,40}\b(?:your (?:\w+ ){0,2}(?:prompt|instructions?|rules|configuration)"
    r"|the system prompt (?:above|verbatim|in full|word for word)"
    r"|(?:text|words|instructions|everything) above(?:\W*$|,| (?:in|verbatim|word|starting|exactly|to"
    r" the)\b))",
    rf"\byour (?:final |only |next |first )?{_REPLIES} (?:must|should|shall|will|is|has"
    rf" to)\b[^.!?‹]{{0,30}}(?::|{STATED})",
)

_WORDS_PUT_IN_ITS_MOUTH = (
    rf"{_CLAUSE}(?:always |only |just |instead |simply )?{_CLAIM}\b[^.!?:‹]{{0,40}}[,:]? ?{STATED}"
    r"(?=\W*$|[.!?]|\W*\b(?:and (?:nothing|stop|do not|only|then|cite)|instead|in (?:your|every|the)|as"
    r" (?:your|the)"
    r"|to (?:every|any|all|the|each|whoever)|when|whenever|if|no matter|regardless|word for word|verbatim"
    r"|exactly)\b)",
    rf"{_CLAUSE}(?:write|output|print|return)\b[^.!?:‹]{{0,40}}[,:]? ?{STATED}\W*\b(?:and nothing|instead"
    rf" of|no matter|regardless|(?:as|in) (?:your|the|every) {_REPLIES}|whenever|when asked|to every)\b",
    rf"^{_REPLY}(?: \w+){{0,2}}:? ?(?:{STATED}|{MENTIONED})\W*$",
    rf"^(?:[(\[<]/?\w{{1,12}}[)\]>] )?(?:please )?{_REPLY}"
    r"(?: (?:only|always|instead|simply|just|back|exactly))? (?:with|by saying|as follows|like this)\b",
    rf"{_CLAUSE}(?:say|respond|(?:answer|reply|repeat|recite|claim)(?= \w))(?: (?:with|only|exactly|just"
    r"|the following|this|these words?|word for word|verbatim|instead|sentence|text|words?|phrase|after me"
    r"|as follows|like this|always|to (?:the|every|any|each) (?:reader|user|student)s?)){0,5}:(?:\s|$)",
    r"\b(?:when|if|whenever|once|should)\b[^.!?]{0,60}\b(?:asks?|asked|questions?)\b[^.!?]{0,80}\b"
    rf"(?:{_CLAIM}|tell (?:them|him|her|the \w+|every \w+|any \w+)){_TOLD}(?: that\b|:| ?{STATED})",
    r"^(?:when|if|whenever|once)\b[^.!?]{0,20}\basked (?:about|for|how|what|which|where|who"
    r"|why)\b[^.!?]{0,60}[, ]"
    rf"(?:say|{_REPLY}) (?!yes|no\b|y\b|n\b)",
    r"\b(?:(?:to|for) (?:any|every|each|all|whatever) questions?|no matter (?:what|which)|regardless of"
    r" (?:what|which|the"
    rf" question)|whatever (?:you are|the (?:question|reader|user)))\b[^.!?]{{0,80}}\b{_CLAIM}\b{_TOLD}(?:"
    rf" that\b|:| ?{STATED})",
    rf"{_CLAUSE}(?:always |only )?{_CLAIM}\b[^.!?]{{0,80}}\b(?:no matter (?:what|which)|regardless of"
    rf" (?:what|which|the"
    r" question)|whatever (?:you are|the (?:question|reader|user)))\b",
    rf"\b{_REPLIES} to (?:any|every|all|each|whatever)\b[^.!?]{{0,30}}\bis\b",
    rf"^(?:please )?(?:tell|inform|assure|convince) (?:the |every |any |all |each |your )?(?:\w+ )?{_READER}"
    rf"(?: always| only)?(?: that\b|:| ?{STATED})",
)

_CUE = re2.compile(
    r"(?i)\b(?:ignore|disregard|forget|overr(?:ide|ule)|bypass|discard|following|follow|obey|attention"
    r"|instructions?"
    r"|prompts?|directives?|you are|you're|you will|you shall|want you|from now on|pretend|act|behave"
    r"|answers?|repl(?:y|ies)"
    r"|responses?|respond|speak|role|role-?play|simulate|emulate|impersonate|play|(?:DAN|jailbreak|god"
    r"|unrestricted|now) mode"
    r"|AI|artificial intelligence|language models?|LLMs?|bots?|chat ?bots?|(?:chat ?)?gpts?|assistants?"
    r"|system|developer"
    r"|administrator|admin|root|say|recite|repeat|asks?|asked|questions?|no matter|regardless|whatever|do"
    r" not|don't|never"
    r"|above|need you|like you|order you|command you|instruct you|ask you|tell|inform|assure|convince)\b"
    r"|^\W*[<\[]|\x{2039}stated"
)
"""One of these stands in every order: most lines are done with here."""


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    every = (
        *_RULES_GIVEN_UP,
        *_ROLES,
        *_ADDRESS,
        *_CHAT_MARKS,
        *_REPLY_DEMANDS,
        *_WORDS_PUT_IN_ITS_MOUTH,
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in every)


def has_form_of_order(line: str) -> bool:
    """Return whether a line without list marks, its quotations replaced, has one of the forms.

    A line that might, and is longer than LONGEST, is taken to have one.
    """
    if _CUE.search(line) is None:
        return False
    return len(line) > LONGEST or any(form.search(line) for form in _forms())
