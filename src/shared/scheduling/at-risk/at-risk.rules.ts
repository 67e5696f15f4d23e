import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { OverridingRole } from '../../platform/authz/rule-settings.ts'
import type { SeatFacts } from '../rules/booking-facts.types.ts'
import { ineligible, mayKnowFitness, orderHiddenLast } from '../rules/disclosure.rules.ts'
import type { Outcome } from '../rules/judge.rules.ts'
import { mayOverride } from '../rules/override.rules.ts'
import type { Finding, Problem } from '../rules/problems.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'

/** A finding of a rule about a future booking, as it is stored. */
export interface StoredFinding extends Omit<Finding, 'warnsOnly' | 'fix'> {
  rule: RuleKey
  enforcement: 'block' | 'warn'
  /** True when only staff and the person concerned may see it. */
  personal: boolean
  overridableBy: readonly OverridingRole[]
}

/** The findings that put a booking at risk, as they are stored. */
export interface Flag {
  reservationId: number
  rules: string[]
  causes: string[]
  forDesk: StoredFinding[]
  forOthers: StoredFinding[]
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
    .map(({ check: { key, personal, settings }, finding: { fix: _, ...finding } }) => ({
      ...finding,
      rule: key,
      personal,
      overridableBy: settings.overridableBy,
      enforcement: settings.enforcement === 'block' ? 'block' : 'warn',
    }))
}

/**
 * Returns the flag of a booking with its findings for the desk and for others; null when no finding for the desk blocks it.
 */
export function flagOf(
  reservationId: number,
  forDesk: readonly StoredFinding[],
  forOthers: readonly StoredFinding[],
): Flag | null {
  const blocking = forDesk.filter(({ enforcement }) => enforcement === 'block')
  if (blocking.length === 0) return null
  const rules = blocking.flatMap(({ rule }) => (rule.startsWith('currency:') ? ['currency', rule] : [rule]))
  const causes = blocking.map(({ rule, orgUserId = '', resourceId = '' }) => `${rule} ${orgUserId} ${resourceId}`)
  return {
    reservationId,
    rules: [...new Set(rules)],
    causes: [...new Set(causes)],
    forDesk: [...forDesk],
    forOthers: [...forOthers],
  }
}

/**
 * Returns the problems and warnings of a booking at risk that a reader may see. When the reader may not see the details of a
 * person, a personal finding is replaced by one that only names the person.
 */
export function notifiedOf(
  reader: Reader,
  seats: readonly Pick<SeatFacts, 'side' | 'name' | 'orgUserId'>[],
  { forDesk, forOthers }: Pick<Flag, 'forDesk' | 'forOthers'>,
): { problems: Problem[]; warnings: Problem[] } {
  const findings = hasRole(reader.roles, deskStaff) ? forDesk : forOthers
  const told = (wanted: StoredFinding['enforcement']) =>
    findings
      .filter(({ enforcement }) => enforcement === wanted)
      .map(({ enforcement, personal, overridableBy, ...finding }): Problem => {
        const seat = personal ? seats.find(({ orgUserId }) => orgUserId === finding.orgUserId) : undefined
        if (seat && !mayKnowFitness(reader, seat)) return ineligible(seat)
        return { ...finding, overridable: enforcement === 'block' && mayOverride({ overridableBy }, finding, reader) }
      })
  const problems = orderHiddenLast(told('block'))
  return { problems, warnings: orderHiddenLast(told('warn'), problems) }
}

/** The most notices of bookings at risk per person in 24 hours. */
export const TOLD_A_DAY = 10

/**
 * Returns by orgUserId the bookings to notify each person of: the bookings that the person is on; for a dispatcher, all of
 * them. People who have received `TOLD_A_DAY` notices in the last 24 hours are absent.
 */
export function toTell(
  bookings: readonly { reservationId: number; orgUserIds: readonly number[] }[],
  dispatchers: readonly number[],
  notifiedToday: ReadonlyMap<number, number>,
): Map<number, number[]> {
  const told = new Map<number, number[]>()
  for (const { reservationId, orgUserIds } of bookings) {
    for (const person of new Set([...orgUserIds, ...dispatchers])) {
      if ((notifiedToday.get(person) ?? 0) >= TOLD_A_DAY) continue
      told.set(person, [...(told.get(person) ?? []), reservationId])
    }
  }
  return told
}
