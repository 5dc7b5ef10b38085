"""Stop words, and synonyms by stem."""

from __future__ import annotations

from typing import Final

from festinger.core.system.wordsets import word_set

# Words without a meaning of their own: no value may consist of them alone.
STOPWORDS: Final = word_set("""
    a an the and or of to in on at for from by with as is are was were be been being am
    it its this that these those my our your his her their i we you he she they me us
    him them do does did done doing has have had having not no nor so than then there
    here will would can could should may might must shall just only also too now any all
    some each every very per via into onto about over under up down out off if but when
    while who whom whose which what where how why because both either neither between
    through during again further once more most much many such same own other another
    one s t re ve ll d m thing things stuff something anything everything nothing
    someone somebody anyone anybody everyone everybody really quite rather im ive id ill
    dont doesnt didnt isnt arent wasnt werent cant wont wouldnt shouldnt couldnt hasnt
    havent hadnt aint it's i'm i've i'd i'll don't doesn't didn't isn't aren't wasn't
    weren't can't won't wouldn't shouldn't couldn't hasn't haven't that's there's what's
    who's where's let's you're we're they're he's she's you've we've they've you'll
    we'll they'll ok okay please pls plz yes yeah yep no nope hi hiya hey hello dear
    thanks thank thx cheers morning evening btw oh ah um uh hm hmm well sorry lol haha u
    ur r w n gonna gotta wanna get got gets getting go goes going gone want wants wanted
    need needs needed make makes made making let lets use uses used using write writes
    put puts give gives take takes come comes say says said saying two tell tells told
    know knows think see look looks like way kind sort bit lot lots sure maybe perhaps
    still already always never ever
""")

# Stems, each with its short forms and close synonyms.
_FORMS: Final = """
    postgres: pg postgresql
    kubernet: k8s
    product: prod production
    stage: stg staging
    repositori: repo repos
    databas: db dbs
    messag: msg msgs
    authent: auth
    configur: config configs
    environ: env envs
    develop: dev devs
    document: doc docs
    applic: app apps
    depend: deps dep
    pull: pr prs
    javascript: js
    typescript: ts
    python: py
    inform: info
    infrastructur: infra
    perform: perf
    administr: admin
    monday: mon mondays
    tuesday: tue tues tuesdays
    wednesday: wed weds wednesdays
    thursday: thu thur thurs thursdays
    friday: fri fridays
    saturday: sat saturdays
    sunday: sun sundays
    januari: jan
    februari: feb
    march: mar
    april: apr
    june: jun
    juli: jul
    august: aug
    septemb: sep sept
    octob: oct
    novemb: nov
    decemb: dec
    tomorrow: tmrw tmr 2moro
    tonight: tonite
    minut: mins min
    hour: hrs hr
    second: secs sec
    week: wk wks
    year: yr yrs
    appoint: appt
    birthday: bday
    mother: mum mom mam
    father: dad
    grandmoth: nan nana gran grandma
    grandfath: grandpa
    child: kid kids children
    peopl: ppl folks
    telephon: phone phones mobile
    email: mail mails e-mail e-mails
    pictur: pic pics photo photos photograph photographs image images
    pound: quid
    dollar: bucks
    refriger: fridge
    vegetarian: veggie veg
    gb: gig gigs
    depart: dept
    govern: govt
    univers: uni
    laboratori: lab labs
    examin: exam exams
    comput: laptop pc
    bicycl: bike bikes
    apart: flat
    dr: doctor
"""
SYNONYMS: Final = {
    form: line.partition(":")[0].strip()
    for line in _FORMS.strip().splitlines()
    for form in line.partition(":")[2].split()
}
"""Stems by form."""
