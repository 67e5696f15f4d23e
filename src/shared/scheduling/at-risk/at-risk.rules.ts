import { deskStaff, hasRole, type RoleFlags, staff } from '../../platform/authz/roles.ts'
import type { OverridingRole } from '../../platform/authz/rule-settings.ts'
import type { SeatFacts } from '../rules/booking-facts.types.ts'
import { ineligible, mayKnowFitness, orderHiddenLast } from '../rules/disclosure.rules.ts'
import type { Outcome } from '../rules/judge.rules.ts'
import { mayOverride } from '../rules/override.rules.ts'
import type { Finding, Fix, Problem } from '../rules/problems.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'

/** A finding of a rule about a future booking, as it is stored. `fix` is what desk staff can do about it. */
export interface StoredFinding extends Omit<Finding, 'warnsOnly'> {
  rule: RuleKey
  enforcement: 'block' | 'warn'
  /** True when only staff and the person concerned may see it. */
  personal: boolean
  overridableBy: readonly OverridingRole[]
}

/** What the rules find about a future booking, for desk staff and for others: what blocks it, and what only warns. */
export interface StoredFindings {
  forDesk: StoredFinding[]
  forOthers: StoredFinding[]
  warningsForDesk: StoredFinding[]
  warningsForOthers: StoredFinding[]
}

/** The findings about a booking, as they are stored. `rules` and `causes` are of what blocks; both are empty when it only warns. */
export interface Flag extends StoredFindings {
  reservationId: number
  rules: string[]
  causes: string[]
}

/** The member who reads the findings of a booking at risk. */
interface Reader {
  orgUserId: number
  roles: RoleFlags
}

/** Returns the findings of outcomes, as they are stored. Leaves out findings that an override covers. */
export function findingsOf(outcomes: readonly Outcome[]): StoredFinding[] {
  return outcomes
    .filter(({ override }) => !override)
    .map(({ check: { key, personal, settings }, finding }) => ({
      ...finding,
      rule: key,
      personal,
      overridableBy: settings.overridableBy,
      enforcement: settings.enforcement === 'block' ? 'block' : 'warn',
    }))
}

/** Returns the flag of a booking with its findings for the desk and for others; null when the desk finds nothing. */
export function flagOf(
  reservationId: number,
  forDesk: readonly StoredFinding[],
  forOthers: readonly StoredFinding[],
): Flag | null {
  if (forDesk.length === 0) return null
  const blocking = thoseThat('block', forDesk)
  const rules = blocking.flatMap(({ rule }) => (rule.startsWith('currency:') ? ['currency', rule] : [rule]))
  const causes = blocking.map(({ rule, orgUserId = '', resourceId = '' }) => `${rule} ${orgUserId} ${resourceId}`)
  return {
    reservationId,
    rules: [...new Set(rules)],
    causes: [...new Set(causes)],
    forDesk: blocking,
    forOthers: thoseThat('block', forOthers),
    warningsForDesk: thoseThat('warn', forDesk),
    warningsForOthers: thoseThat('warn', forOthers),
  }
}

function thoseThat(wanted: StoredFinding['enforcement'], findings: readonly StoredFinding[]): StoredFinding[] {
  return findings.filter(({ enforcement }) => enforcement === wanted)
}

/**
 * Returns the problems and warnings of a booking at risk that a reader may see. When the reader may not see the details of a
 * person, a personal finding is replaced by one that only names the person. A fix that the reader cannot make is left out.
 */
export function notifiedOf(
  reader: Reader,
  seats: readonly Pick<SeatFacts, 'side' | 'name' | 'orgUserId'>[],
  { forDesk, forOthers, warningsForDesk, warningsForOthers }: StoredFindings,
): { problems: Problem[]; warnings: Problem[] } {
  const atDesk = hasRole(reader.roles, deskStaff)
  // A flag of an earlier release has its warnings beside what blocks.
  const findings = atDesk ? [...forDesk, ...warningsForDesk] : [...forOthers, ...warningsForOthers]
  const told = (wanted: StoredFinding['enforcement']) =>
    thoseThat(wanted, findings).map(({ enforcement, personal, overridableBy, fix, ...finding }): Problem => {
      const seat = personal ? seats.find(({ orgUserId }) => orgUserId === finding.orgUserId) : undefined
      if (seat && !mayKnowFitness(reader, seat)) return ineligible(seat)
      const overridable = enforcement === 'block' && mayOverride({ overridableBy }, finding, reader)
      return { ...finding, overridable, ...(fix && mayFix(reader, finding, fix) && { fix }) }
    })
  const problems = orderHiddenLast(told('block'))
  return { problems, warnings: orderHiddenLast(told('warn'), problems) }
}

/** Returns whether a reader can make a fix that desk staff can make. */
function mayFix({ roles, orgUserId }: Reader, finding: Pick<Finding, 'orgUserId'>, { action }: Fix): boolean {
  if (action === 'record_document') return hasRole(roles, deskStaff) || finding.orgUserId === orgUserId
  return action !== 'record_currency' || hasRole(roles, staff)
}

/** The most notices of bookings at risk per person in 24 hours. */
export const NOTIFIED_A_DAY = 10

/**
 * Returns by orgUserId the bookings to notify each person of: the bookings that the person is on; for a dispatcher, all of
 * them. People who have received `NOTIFIED_A_DAY` notices in the last 24 hours are absent.
 */
export function toNotify(
  bookings: readonly { reservationId: number; orgUserIds: readonly number[] }[],
  dispatchers: readonly number[],
  notifiedToday: ReadonlyMap<number, number>,
): Map<number, number[]> {
  const notices = new Map<number, number[]>()
  for (const { reservationId, orgUserIds } of bookings) {
    for (const person of new Set([...orgUserIds, ...dispatchers])) {
      if ((notifiedToday.get(person) ?? 0) >= NOTIFIED_A_DAY) continue
      notices.set(person, [...(notices.get(person) ?? []), reservationId])
    }
  }
  return notices
}
