import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { OverridingRole } from '../../platform/authz/rule-settings.ts'
import type { SeatFacts } from '../rules/booking-facts.types.ts'
import { ineligible, mayKnowFitness, orderHiddenLast } from '../rules/disclosure.rules.ts'
import type { Outcome } from '../rules/judge.rules.ts'
import { mayOverride } from '../rules/override.rules.ts'
import type { Finding, Problem } from '../rules/problems.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'

/** What a rule finds against a booking ahead, as it is stored. */
export interface StoredFinding extends Omit<Finding, 'warnsOnly' | 'fix'> {
  rule: RuleKey
  enforcement: 'block' | 'warn'
  /** Only staff and the person see it. */
  personal: boolean
  overridableBy: readonly OverridingRole[]
}

/** What stands in the way of a booking, as it is stored. */
export interface Flag {
  reservationId: number
  rules: string[]
  causes: string[]
  forDesk: StoredFinding[]
  forOthers: StoredFinding[]
}

/** Who reads of a booking at risk. */
interface Reader {
  orgUserId: number
  roles: RoleFlags
}

/** Returns what is stored of the outcomes of a judgement: without what an override meets. */
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

/** Returns the flag of a booking by what the desk and others read of it; null when nothing stands in its way. */
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

/** Returns what a reader is told of a booking at risk: of somebody whose details they may not know only who it is. */
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

/** The most notifications of bookings at risk that one person gets within a day. */
export const TOLD_A_DAY = 10

/** Returns, by orgUserId, which bookings each person is told of: those on them, and dispatchers of all. */
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
