import { formatTenths } from '../../platform/kernel/hours.ts'
import { tenths } from '../../platform/kernel/units.ts'
import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { type Draft, daysOf, inWords, unreadable } from './draft.rules.ts'
import type { ExperienceFacts, ReadinessFacts, RequirementFact } from './readiness-facts.types.ts'

/**
 * Returns the items about experience: one for each requirement of the version, at the test. Requirements of the school's own
 * are shown and do not count. The graduate of a Part 141 course shows the certificate of graduation instead of the hours, for some days:
 * 14 CFR 61.71(a).
 */
export function experienceDrafts(facts: ReadinessFacts): Draft[] {
  const { experience, regulatoryPart, sought } = facts
  if (!sought) return []
  if (experience === 'failed') return unreadable(['experience'])
  const { requirements, graduation } = experience
  const ofSchool = requirements.filter(({ source }) => source === 'school').map(requirementDraft)
  if (regulatoryPart === 'part141') {
    const unmet = graduation ? [] : requirements.filter(({ source }) => source !== 'school').map(requirementDraft)
    return [graduationDraft(facts, graduation), ...unmet, ...ofSchool]
  }
  const ofRule = requirements.filter(({ source }) => source !== 'school').map(requirementDraft)
  return [...(ofRule.length > 0 ? ofRule : [noRequirements]), ...ofSchool]
}

const noRequirements: Draft = {
  key: 'experience',
  status: 'unknown',
  message: 'The version has no requirement of the regulation.',
  why: 'not_on_record',
  owner: 'school',
  needs: { action: 'add_requirements' },
}

function graduationDraft(facts: ReadinessFacts, graduation: ExperienceFacts['graduation']): Draft {
  const common = { key: 'experience:graduation', owner: 'school' } as const
  const needs = { action: 'graduate' } as const
  if (!graduation) return { ...common, status: 'missing', message: 'The student has not graduated.', needs }
  const evidence =
    graduation.certificateId === null ? [] : [{ kind: 'certificate', id: graduation.certificateId } as const]
  if (evidence.length === 0) {
    const message = 'No certificate of graduation is on record.'
    return { ...common, status: 'unknown', message, why: 'not_on_record', needs }
  }
  const lastDay = addDays(localDate(graduation.at, facts.zone), facts.graduationWithinDays)
  const status = daysOf(facts).test <= lastDay ? 'met' : 'ends_before'
  return { ...common, status, message: `The certificate of graduation serves to ${lastDay}.`, evidence }
}

/** The most credits that an item names as evidence; the ledger has them all. */
const MOST_EVIDENCE = 20

function requirementDraft(fact: RequirementFact): Draft {
  const { code, label, source, inHours, proven, atTest, today, creditIds, weak, lessonIds, booked } = fact
  const amount = (value: number) => (inHours ? formatTenths(tenths(Math.max(0, value))) : String(Math.max(0, value)))
  const [isMet, isMetByAll] = [proven.met, atTest.met]
  const ofSchool = source === 'school'
  const progress = `${label}: ${amount(atTest.credited)} of ${amount(atTest.required)}`
  const common = {
    key: `experience:${code}`,
    evidence: creditIds.slice(0, MOST_EVIDENCE).map((id) => ({ kind: 'credit', id }) as const),
    owner: ofSchool ? 'school' : 'student',
    ofSchool,
  } as const
  if (isMet) return { ...common, status: 'met', message: `${progress}.` }
  if (isMetByAll) {
    const why = weak ?? 'posted_by_hand'
    const needs = { action: 'confirm_credit' } as const
    return { ...common, status: 'unknown', message: `${progress}: ${inWords(why)}.`, why, owner: 'school', needs }
  }
  const needs = {
    action: 'fly_lessons',
    ...(inHours ? { deciHours: tenths(atTest.remaining) } : { count: atTest.remaining }),
    ...(lessonIds.length > 0 && { lessonIds: [...lessonIds] }),
  } as const
  const ahead = booked === 0 ? '' : `, ${booked} of its lessons booked`
  const stale = today.met ? 'ends_before' : 'missing'
  const why = today.met ? ' will count on the day of the test' : ''
  return { ...common, status: stale, message: `${progress}${why}${ahead}.`, needs }
}
