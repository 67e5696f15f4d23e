import { admins, hasRole } from '../../platform/authz/roles.ts'
import { provingCategories, type RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import type { GivenOverride, KeptOverride, Overrides } from './override.types.ts'
import type { Finding } from './problems.ts'
import type { RuleKey } from './rule-catalogue.rules.ts'

/** The most hours that a booking may move while an override of it stays in force. */
const STANDS_WITHIN_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Returns whether an override is still in force: the aircraft is the same, the booking has not moved by more than 24
 * hours and, where it is about a person, that person is on it. Implements interface §Booking rules (overrides).
 */
export function isInForce(
  { resourceId, startsAt, orgUserId }: Pick<KeptOverride, 'resourceId' | 'startsAt' | 'orgUserId'>,
  booking: { resourceId: number | null; start: Date; seats: readonly { orgUserId: number | null }[] },
): boolean {
  const moved = Math.abs(booking.start.getTime() - startsAt.getTime())
  if (resourceId !== booking.resourceId || moved > STANDS_WITHIN_HOURS * HOUR_MS) return false
  return orgUserId === null || booking.seats.some((seat) => seat.orgUserId === orgUserId)
}

/**
 * Returns whether the caller may override a finding: the rule allows one of the caller's roles. A finding about the caller
 * may be overridden only as owner or admin. Implements interface §Booking rules (overrides).
 */
export function mayOverride(
  { overridableBy }: Pick<RuleSettings, 'overridableBy'>,
  { orgUserId }: Pick<Finding, 'orgUserId'>,
  actor: BookingFacts['actor'],
): boolean {
  return hasRole(actor.roles, overridableBy) && (orgUserId !== actor.orgUserId || hasRole(actor.roles, admins))
}

/**
 * Returns the stored override that covers a finding; undefined when none is in force. Implements interface §Booking rules
 * (overrides).
 */
export function keptFor(rule: RuleKey, { orgUserId }: Finding, facts: BookingFacts): KeptOverride | undefined {
  const { booking, resource, seats, overrides } = facts
  if (overrides.kept.length === 0) return undefined
  const now = { resourceId: resource?.id ?? null, start: booking.start, seats }
  return overrides.kept.find((one) => one.rule === rule && one.orgUserId === (orgUserId ?? null) && isInForce(one, now))
}

/**
 * Returns the override of this request that covers a finding; undefined when there is none. Implements interface §Booking
 * rules (overrides).
 */
export function givenFor(rule: RuleKey, { orgUserId }: Finding, { given }: Overrides): GivenOverride | undefined {
  const names = (word: string) => word === rule || (word === 'currency' && rule.startsWith('currency:'))
  return given.find((one) => names(one.rule) && (one.orgUserId === null || one.orgUserId === orgUserId))
}

/** The rules whose overrides name the document of the paper that was seen. */
export const paperRules: readonly string[] = ['pilot_rating', 'endorsement']

/**
 * Returns whether an override lacks the paper for a finding. A document is needed where `overridesNeedPaper` is set; one that
 * is given is checked in any case. It belongs to the person whom the finding is about, can show a rating or an endorsement,
 * has arrived, is neither rejected nor expired, and somebody else has uploaded or verified it. Implements interface
 * §Booking rules (overrides).
 */
export function lacksPaper(rule: RuleKey, { orgUserId }: Finding, given: GivenOverride, facts: BookingFacts): boolean {
  if (!paperRules.includes(rule)) return false
  const { documentId = null } = given
  if (documentId === null) return facts.settings.overridesNeedPaper
  const paper = facts.overrides.papers?.get(documentId)
  if (!paper || paper.orgUserId === null || paper.orgUserId !== orgUserId) return true
  const { orgUserId: caller } = facts.actor
  const isOwnWork = paper.uploadedBy === caller && (paper.verifiedBy ?? caller) === caller
  const hasExpired = paper.expiresAt !== null && paper.expiresAt <= facts.now
  return !provingCategories.includes(paper.category) || !paper.stored || paper.rejected || hasExpired || isOwnWork
}
