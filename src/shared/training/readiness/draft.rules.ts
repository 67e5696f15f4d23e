import { addDays, localDate } from '../../platform/kernel/zones.ts'
import { type Citations, citationOf } from './citations.rules.ts'
import type { ItemEvidence, ItemNeed, ItemOwner, ItemStatus, ReadinessItem, UnknownReason } from './readiness.types.ts'
import type { ReadinessFacts } from './readiness-facts.types.ts'

/** What a rule finds of one item; its citation and its instant are added to it. */
export interface Draft {
  key: string
  status: ItemStatus
  message: string
  owner: ItemOwner
  evidence?: readonly ItemEvidence[]
  why?: UnknownReason
  needs?: ItemNeed
  /** Whether it is judged at the application; else at the test. */
  atApplication?: boolean
  /** The rule, where it is the school's own: such an item does not bear on the verdict. */
  ofSchool?: boolean
}

/** Returns the item of a draft. One whose rule is from memory is at most unknown. */
export function itemOf(draft: Draft, { sought, at, applicationAt }: ReadinessFacts, all: Citations): ReadinessItem {
  const { key, status, message, owner, evidence = [], why, needs, atApplication = false, ofSchool = false } = draft
  const { group, rule, fromMemory = false } = citationOf(key, all)
  const cited = typeof rule === 'string' ? rule : ((sought && rule[sought]) ?? '')
  const isUnknown = fromMemory || status === 'unknown'
  return {
    key,
    group,
    status: isUnknown ? 'unknown' : status,
    message,
    rule: ofSchool ? 'school' : fromMemory ? `${cited} (unverified)` : cited,
    evidence: [...evidence],
    ...(isUnknown && { why: why ?? 'rule_unverified' }),
    ...(needs && status !== 'met' && { needs }),
    owner,
    dueAt: atApplication ? applicationAt : at,
    counts: !ofSchool,
  }
}

/** Returns the items of a source that could not be read. */
export function unreadable(keys: readonly string[]): Draft[] {
  return keys.map((key) => ({
    key,
    status: 'unknown',
    message: 'What is on record could not be read.',
    why: 'source_failed',
    owner: 'school',
    needs: { action: 'ask_school' },
  }))
}

/** A paper that could meet an item; `weak`: why it counts for nothing. */
export interface Paper {
  evidence: ItemEvidence
  weak: UnknownReason | null
  /** The last local day on which it counts; null: it has no end. */
  lastDay: string | null
}

/** Returns whether something had happened by the local day on which it is needed: a test that is past was not made by what came later. */
export function happenedBy(instant: Date, day: string, zone: string): boolean {
  return localDate(instant, zone) <= day
}

/**
 * Returns the last local day on which a paper counts; null: it has no end. One that ends earlier on the day on which it is needed does not
 * count on that day.
 */
export function lastDayOf(expiresAt: Date | null, needed: Date, zone: string): string | null {
  if (expiresAt === null) return null
  const last = localDate(new Date(expiresAt.getTime() - 1), zone)
  const day = localDate(needed, zone)
  return expiresAt <= needed && last === day ? addDays(day, -1) : last
}

/** The verdict on the papers for an item. */
export type PaperVerdict<P extends Paper> =
  | { status: 'met'; paper: P }
  | { status: 'unknown'; paper: P; why: UnknownReason }
  | { status: 'ends_before'; paper: P; lastDay: string }
  | { status: 'missing'; paper: null }

/**
 * Judges the papers for an item that is needed on a local day: `met` by one that counts on that day; `unknown` by one that would but
 * counts for nothing as it is; `ends_before` by one that ended or ends before, the last of them; else `missing`.
 */
export function judgePapers<P extends Paper>(papers: readonly P[], day: string): PaperVerdict<P> {
  const good = papers.filter(({ lastDay }) => lastDay === null || lastDay >= day)
  const met = good.find(({ weak }) => weak === null)
  if (met) return { status: 'met', paper: met }
  const [weak] = good
  if (weak?.weak) return { status: 'unknown', paper: weak, why: weak.weak }
  const last = papers.reduce<P | null>((a, b) => (a && (a.lastDay ?? '') >= (b.lastDay ?? '') ? a : b), null)
  return last ? { status: 'ends_before', paper: last, lastDay: last.lastDay ?? '' } : { status: 'missing', paper: null }
}

/** The local days of the test and of the application. */
export interface JudgedDays {
  test: string
  application: string
  today: string
}

export function daysOf({ at, applicationAt, now, zone }: ReadinessFacts): JudgedDays {
  return { test: localDate(at, zone), application: localDate(applicationAt, zone), today: localDate(now, zone) }
}

const reasons: Readonly<Record<UnknownReason, string>> = {
  not_on_record: 'it is not on record',
  unverified: 'nobody has verified it',
  self_recorded: 'the student recorded it',
  unproven: 'it does not count yet: its signature or its certificate number is not proven',
  disowned: 'its signer disowned it',
  superseded: 'another one replaced it',
  posted_by_hand: 'credit for it was posted by hand',
  without_proof: 'no note says where hours of it come from',
  contradicts_meters: 'its records differ from the meters',
  no_code: 'the code of the test is not on record',
  no_reading: 'its end is not on record',
  not_planned: 'no aircraft is planned',
  not_covered: 'the service does not know the requirements',
  rule_unverified: 'nobody has verified the rule',
  source_failed: 'it could not be read',
}

/** Returns why an item is unknown, in words that follow a colon. */
export function inWords(why: UnknownReason): string {
  return reasons[why]
}
