import { addDays } from '../../platform/kernel/zones.ts'
import { medicalEnd } from '../../qualification/currencies/medical.rules.ts'
import { pilotRatings } from '../../qualification/ratings.rules.ts'
import { type Draft, daysOf, inWords, judgePapers, lastDayOf, unreadable } from './draft.rules.ts'
import type { ItemEvidence, JudgedTest } from './readiness.types.ts'
import type { PersonFacts, PilotCertificate, ReadinessFacts } from './readiness-facts.types.ts'

/** The least age on the day of the test: 14 CFR 61.103(a), 61.123(a), 61.183(a). An instrument rating has none. */
const leastAge: Readonly<Record<JudgedTest, number | null>> = { private: 17, instrument: null, commercial: 18, cfi: 18 }

/** Returns the items about the person: age, identity, the certificate held, and the medical, which alone is asked for any test. */
export function personDrafts(facts: ReadinessFacts): Draft[] {
  const { person, sought } = facts
  if (!sought) return [medicalDraft(facts)]
  const least = leastAge[sought]
  if (person === 'failed') {
    return [...unreadable([...(least ? ['age'] : []), 'identity', 'certificate_held']), medicalDraft(facts)]
  }
  return [
    ...ageDraft(facts, person, least),
    identityDraft(facts, person),
    certificateDraft(person, sought),
    medicalDraft(facts),
  ]
}

function ageDraft(facts: ReadinessFacts, { birthDate, orgUserId }: PersonFacts, least: number | null): Draft[] {
  if (least === null) return []
  const common = { key: 'age', evidence: profileOf(orgUserId) } as const
  const { value, weak } = birthDate
  if (value === null || weak) {
    const why = weak ?? 'not_on_record'
    const needs = { action: 'verify_profile' } as const
    return [
      {
        ...common,
        status: 'unknown',
        message: `Birth date: ${inWords(why)}.`,
        why,
        owner: why === 'not_on_record' ? 'student' : 'school',
        needs,
      },
    ]
  }
  const oldEnough = yearsAfter(value, least)
  const met = oldEnough <= daysOf(facts).test
  const message = `${least} years old on ${oldEnough}.`
  return [{ ...common, status: met ? 'met' : 'missing', message, owner: 'student', needs: { action: 'wait' } }]
}

/** Returns a birthday, `YYYY-MM-DD`; that of 29 February is 1 March in other years. */
function yearsAfter(birthDate: string, years: number): string {
  const year = Number(birthDate.slice(0, 4)) + years
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  return birthDate.endsWith('-02-29') && !isLeap ? `${year}-03-01` : `${year}${birthDate.slice(4)}`
}

function identityDraft(facts: ReadinessFacts, { identifications }: PersonFacts): Draft {
  const papers = identifications.map(({ id, verified, expiresAt }) => ({
    evidence: { kind: 'document', id } as const,
    weak: verified ? null : ('unverified' as const),
    lastDay: lastDayOf(expiresAt, facts.at, facts.zone),
  }))
  const verdict = judgePapers(papers, daysOf(facts).test)
  const common = { key: 'identity', evidence: verdict.paper ? [verdict.paper.evidence] : [] } as const
  if (verdict.status === 'met') {
    return { ...common, status: 'met', message: 'A verified identification is on record.', owner: 'student' }
  }
  if (verdict.status === 'ends_before') {
    const message = `The identification is good to ${verdict.lastDay}.`
    return { ...common, status: 'ends_before', message, owner: 'student', needs: { action: 'add_document' } }
  }
  const why = verdict.status === 'unknown' ? verdict.why : 'not_on_record'
  return {
    ...common,
    status: 'unknown',
    message: `Identification: ${inWords(why)}.`,
    why,
    owner: why === 'not_on_record' ? 'student' : 'school',
    needs: { action: why === 'not_on_record' ? 'add_document' : 'verify_document' },
  }
}

const airplaneClasses = ['ASEL', 'AMEL', 'ASES', 'AMES'] as const
const privateOrAbove: readonly (string | null)[] = ['private', 'commercial', 'airline_transport']

/** Returns what a pilot certificate lacks for a test, in words; null when it lacks nothing. */
function lackOf({ grade, ratings: written }: PilotCertificate, sought: JudgedTest): string | null {
  if (sought === 'private') return grade === null ? 'a student, sport or recreational certificate' : null
  const ratings = pilotRatings(written)
  const least = sought === 'cfi' ? 'commercial' : 'private'
  const grades = sought === 'cfi' ? privateOrAbove.slice(1) : privateOrAbove
  if (!grades.includes(grade)) return `at least a ${least} pilot certificate`
  if (!airplaneClasses.some((code) => ratings.has(code))) return 'an airplane rating'
  return sought === 'cfi' && !ratings.has('IR-A') ? 'an instrument rating' : null
}

function certificateDraft({ pilotCertificate: { value, weak }, orgUserId }: PersonFacts, sought: JudgedTest): Draft {
  const common = { key: 'certificate_held', evidence: profileOf(orgUserId) } as const
  const needs = { action: 'record_certificate' } as const
  if (value === null && weak === null) {
    const message = 'No pilot certificate is on record.'
    return { key: common.key, status: 'missing', message, owner: 'student', needs }
  }
  if (value === null || weak) {
    const why = weak ?? 'unverified'
    const message = `Pilot certificate: ${inWords(why)}.`
    return { ...common, status: 'unknown', message, why, owner: 'school', needs: { action: 'verify_profile' } }
  }
  const lack = lackOf(value, sought)
  if (lack) return { ...common, status: 'missing', message: `The certificate lacks ${lack}.`, owner: 'student', needs }
  const limited = sought === 'commercial' && !pilotRatings(value.ratings).has('IR-A')
  const limit = ' Without an instrument rating the new certificate is limited.'
  return {
    ...common,
    status: 'met',
    message: `The certificate on record fits.${limited ? limit : ''}`,
    owner: 'student',
  }
}

/** Judges the medicals by the terms of a private pilot, for which a third class or BasicMed is enough: 14 CFR 61.23(a)(3). */
function medicalDraft(facts: ReadinessFacts): Draft {
  const { medicals, person } = facts
  const [failed] = unreadable(['medical'])
  if (medicals === 'failed') return failed!
  const known = person !== 'failed' && person.birthDate.weak === null ? person.birthDate.value : null
  const examined = medicals.filter(({ examinedOn }) => examinedOn <= daysOf(facts).test)
  const papers = examined.flatMap(({ id, class: held, examinedOn, courseOn, endedOn, selfRecorded }) => {
    const end = held && medicalEnd({ class: held, examinedOn, courseOn }, 'private', known)
    const last = endedOn === null ? null : addDays(endedOn, -1)
    const lastDay = end && last && last < end ? last : end
    if (held && lastDay === null) return []
    const weak = held === null ? ('not_on_record' as const) : selfRecorded ? ('self_recorded' as const) : null
    return [{ evidence: { kind: 'currency_record', id } as const, weak, lastDay: lastDay ?? last }]
  })
  const verdict = judgePapers(papers, daysOf(facts).test)
  const common = { key: 'medical', evidence: verdict.paper ? [verdict.paper.evidence] : [] } as const
  const needs = { action: 'record_medical' } as const
  switch (verdict.status) {
    case 'met':
      return { ...common, status: 'met', message: `The medical is good to ${verdict.paper.lastDay}.`, owner: 'student' }
    case 'unknown':
      return {
        ...common,
        status: 'unknown',
        message: `Medical: ${inWords(verdict.why)}.`,
        why: verdict.why,
        owner: 'school',
        needs: { action: 'verify_document' },
      }
    case 'ends_before':
      return {
        ...common,
        status: 'ends_before',
        message: `The medical is good to ${verdict.lastDay}.`,
        owner: 'student',
        needs,
      }
    default:
      return { ...common, status: 'missing', message: 'No medical is on record.', owner: 'student', needs }
  }
}

function profileOf(id: number): ItemEvidence[] {
  return [{ kind: 'profile', id }]
}
