import { admins, hasRole } from '../../platform/authz/roles.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import type { GivenOverride, KeptOverride, Overrides } from './override.types.ts'
import type { Finding } from './problems.ts'
import type { RuleKey } from './rule-catalogue.rules.ts'

/** Hours that a booking may move until an override of it is no longer in force. */
const STANDS_WITHIN_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Decides whether an override is still in force: for the same aircraft and, where it is about a person, with them on the booking,
 * which has not moved by more than 24 hours. Implements interface §Booking rules (overrides).
 */
export function isInForce(
  { resourceId, startsAt, orgUserId }: Pick<KeptOverride, 'resourceId' | 'startsAt' | 'orgUserId'>,
  booking: { resourceId: number | null; start: Date; seats: readonly { orgUserId: number | null }[] },
): boolean {
  const moved = Math.abs(booking.start.getTime() - startsAt.getTime())
  if (resourceId !== booking.resourceId || moved > STANDS_WITHIN_HOURS * HOUR_MS) return false
  return orgUserId === null || booking.seats.some((seat) => seat.orgUserId === orgUserId)
}

/** Decides whether the caller may override what a rule finds: of a rule about oneself owners and admins only. */
export function mayOverride(
  { overridableBy }: Pick<RuleSettings, 'overridableBy'>,
  { orgUserId }: Pick<Finding, 'orgUserId'>,
  actor: BookingFacts['actor'],
): boolean {
  return hasRole(actor.roles, overridableBy) && (orgUserId !== actor.orgUserId || hasRole(actor.roles, admins))
}

/** Returns the override that was kept for what a rule finds; undefined when none is in force. */
export function keptFor(rule: RuleKey, { orgUserId }: Finding, facts: BookingFacts): KeptOverride | undefined {
  const { booking, resource, seats, overrides } = facts
  if (overrides.kept.length === 0) return undefined
  const now = { resourceId: resource?.id ?? null, start: booking.start, seats }
  return overrides.kept.find((one) => one.rule === rule && one.orgUserId === (orgUserId ?? null) && isInForce(one, now))
}

/** Returns the override that is asked for of what a rule finds; undefined when none is. */
export function givenFor(rule: RuleKey, { orgUserId }: Finding, { given }: Overrides): GivenOverride | undefined {
  const names = (word: string) => word === rule || (word === 'currency' && rule.startsWith('currency:'))
  return given.find((one) => names(one.rule) && (one.orgUserId === null || one.orgUserId === orgUserId))
}
