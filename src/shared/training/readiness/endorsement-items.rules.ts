import { localDate, monthEndAfter } from '../../platform/kernel/zones.ts'
import { isFor, neededForSolo } from '../../scheduling/rules/qualifications.rules.ts'
import {
  type Draft,
  daysOf,
  happenedBy,
  inWords,
  judgePapers,
  lastDayOf,
  type Paper,
  type PaperVerdict,
  unreadable,
} from './draft.rules.ts'
import type { JudgedTest } from './readiness.types.ts'
import type { EndorsementFact, ReadinessFacts } from './readiness-facts.types.ts'
import { judgeKnowledge } from './test-items.rules.ts'

/** The endorsements for each test, by their codes in AC 61-65K; the first attests the prerequisites of 14 CFR 61.39(a)(6)(i). */
const asked: Readonly<Record<JudgedTest, readonly [prerequisites: 'A.1' | 'A.44', ...others: string[]]>> = {
  private: ['A.1', 'A.37'],
  instrument: ['A.44', 'A.43'],
  commercial: ['A.1', 'A.39'],
  cfi: ['A.1', 'A.47', 'A.49'],
}

/** The calendar months that the training for the test serves: 14 CFR 61.39(a)(6)(i). */
const TRAINING_MONTHS = 2

interface EndorsementPaper extends Paper {
  code: string
}

type Judged = { verdict: PaperVerdict<EndorsementPaper>; atApplication: boolean }

/** Returns the items about endorsements. Endorsements of another course of the student, or signed after the test, do not count. */
export function endorsementDrafts(facts: ReadinessFacts): Draft[] {
  const { sought, endorsements } = facts
  if (!sought) return []
  const [first, ...others] = asked[sought]
  if (endorsements === 'failed') return unreadable([first, ...others, 'A.2'].map((code) => `endorsement:${code}`))
  const own = endorsements.filter(
    ({ ofOtherCourse, signedAt }) => !ofOtherCourse && happenedBy(signedAt, daysOf(facts).test, facts.zone),
  )
  const prerequisites = judgePrerequisites(facts, own, first)
  return [
    draftOf(facts, first, prerequisites),
    ...deficiencyDraft(facts, own, prerequisites),
    ...others.map((code) => draftOf(facts, code, judge(facts, own, code))),
    ...soloDraft(facts, own),
  ]
}

function paperOf(one: EndorsementFact, lastDay: string | null): EndorsementPaper {
  return { code: one.code, evidence: { kind: 'endorsement', id: one.id }, weak: one.weak, lastDay }
}

function judge(facts: ReadinessFacts, own: readonly EndorsementFact[], code: string): Judged {
  const papers = own
    .filter((one) => one.code === code)
    .map((one) => paperOf(one, lastDayOf(one.expiresAt, facts.at, facts.zone)))
  return { verdict: judgePapers(papers, daysOf(facts).test), atApplication: false }
}

/**
 * Judges the endorsement of the prerequisites. The training counts to the end of the second calendar month after it, for the month of the
 * application; by the circular A.44 counts back from the test, so it serves both days. For an instrument rating A.1 serves as well.
 */
function judgePrerequisites(facts: ReadinessFacts, own: readonly EndorsementFact[], first: 'A.1' | 'A.44'): Judged {
  const { application, test } = daysOf(facts)
  const trainedOn = (one: EndorsementFact) => one.trainingAt ?? one.signedAt
  const papersOf = (code: string, needed: Date) =>
    own
      .filter((one) => one.code === code && happenedBy(trainedOn(one), localDate(needed, facts.zone), facts.zone))
      .map((one) => {
        const end = monthEndAfter(localDate(trainedOn(one), facts.zone), TRAINING_MONTHS)
        const own = lastDayOf(one.expiresAt, needed, facts.zone)
        return paperOf(one, own !== null && own < end ? own : end)
      })
  const general = { verdict: judgePapers(papersOf('A.1', facts.applicationAt), application), atApplication: true }
  if (first === 'A.1') return general
  const special = { verdict: judgePapers(papersOf('A.44', facts.at), test), atApplication: false }
  return rank(special) <= rank(general) ? special : general
}

const bestFirst = ['met', 'unknown', 'ends_before', 'missing'] as const

function rank({ verdict }: Judged): number {
  return bestFirst.indexOf(verdict.status)
}

function draftOf(facts: ReadinessFacts, code: string, { verdict, atApplication }: Judged): Draft {
  const days = daysOf(facts)
  const { paper } = verdict
  const common = {
    key: `endorsement:${code}`,
    evidence: paper ? [paper.evidence] : [],
    owner: 'instructor',
    atApplication,
  } as const
  const sign = { action: 'sign_endorsement', code } as const
  const day = atApplication ? `the application is on ${days.application}` : `the test is on ${days.test}`
  switch (verdict.status) {
    case 'met': {
      const until = verdict.paper.lastDay ? ` and good to ${verdict.paper.lastDay}` : ''
      return { ...common, status: 'met', message: `${verdict.paper.code} is signed${until}.` }
    }
    case 'unknown': {
      const needs = { action: 'confirm_endorsement', code: verdict.paper.code } as const
      const message = `${verdict.paper.code}: ${inWords(verdict.why)}.`
      return { ...common, status: 'unknown', message, why: verdict.why, needs }
    }
    case 'ends_before': {
      const message = `${verdict.paper.code} is good to ${verdict.lastDay}; ${day}.`
      return { ...common, status: 'ends_before', message, needs: sign }
    }
    default:
      return { ...common, status: 'missing', message: `${code} is not signed.`, needs: sign }
  }
}

/** The score of a knowledge test without a deficient subject. */
const FULL_SCORE = 100

/**
 * Returns the item of the review of deficient subjects, where the knowledge test that counts found some: A.2 signed after that test. A.44
 * attests the review too.
 */
function deficiencyDraft(facts: ReadinessFacts, own: readonly EndorsementFact[], { verdict }: Judged): Draft[] {
  const { tests } = facts
  if (tests === 'failed') return unreadable(['endorsement:A.2'])
  const deficient = judgeKnowledge(facts, tests).flatMap(({ verdict: { paper } }) =>
    paper && (paper.test.deficiencies !== null || (paper.test.score ?? FULL_SCORE) < FULL_SCORE) ? [paper.test] : [],
  )
  if (deficient.length === 0) return []
  const since = new Date(Math.max(...deficient.map(({ takenAt }) => takenAt.getTime())))
  const reviewed = own.filter(({ signedAt }) => signedAt >= since)
  const combined = verdict.status === 'met' && verdict.paper.code === 'A.44' ? verdict.paper : null
  if (combined && reviewed.some(({ id }) => id === combined.evidence.id)) {
    return [draftOf(facts, 'A.2', { verdict: { status: 'met', paper: combined }, atApplication: true })]
  }
  return [draftOf(facts, 'A.2', { ...judge(facts, reviewed, 'A.2'), atApplication: true })]
}

/** Returns the item of the solo endorsements, of a student who is booked to fly to the test alone. */
function soloDraft(facts: ReadinessFacts, own: readonly EndorsementFact[]): Draft[] {
  const { aircraft, sought } = facts
  if (sought !== 'private' || aircraft === 'failed' || aircraft?.booking?.type !== 'solo') return []
  const { booking, place, modelKeys } = aircraft
  const needed = neededForSolo(booking, place, booking.solo)
  const found = needed.map(({ codes, ofModel, fits }) => {
    const all = own.filter(
      (one) => codes.includes(one.code) && isFor(one, booking.start, ofModel ? { modelKeys } : null) && fits(one),
    )
    return { codes, held: all.find(({ weak }) => weak === null) ?? all[0] }
  })
  const evidence = found.flatMap(({ held }) => (held ? [{ kind: 'endorsement', id: held.id } as const] : []))
  const common = { key: 'solo_chain', evidence, owner: 'instructor' } as const
  const lacking = found.filter(({ held }) => !held).map(({ codes }) => codes.join(' or '))
  if (lacking.length > 0) {
    const message = `Flown alone, the flight to the test needs ${lacking.join(', ')}.`
    return [{ ...common, status: 'missing', message, needs: { action: 'sign_endorsement', code: lacking[0]! } }]
  }
  const weak = found.find(({ held }) => held?.weak)?.held
  if (weak?.weak) {
    const message = `${weak.code}: ${inWords(weak.weak)}.`
    const needs = { action: 'confirm_endorsement', code: weak.code } as const
    return [{ ...common, status: 'unknown', message, why: weak.weak, needs }]
  }
  return [{ ...common, status: 'met', message: 'The solo endorsements are valid for the flight to the test.' }]
}
