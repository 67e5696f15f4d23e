import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { identityErrors } from '../identity.errors.ts'
import type { billingModes, Membership } from '../members.tables.ts'
import type { GroundedFor } from './availability.rules.ts'
import { findMember } from './member.access.ts'

export interface OrgUserChanges {
  billingMode?: (typeof billingModes)[number] | undefined
  /** Cents per hour; null removes a rate. */
  instructionRates?:
    | { flight?: Cents | null | undefined; ground?: Cents | null | undefined; sim?: Cents | null | undefined }
    | undefined
  /** Whether the member's invoices have no taxes. */
  taxExempt?: boolean | undefined
  grounded?: boolean | undefined
  groundedReason?: string | null | undefined
  /** Default when the member is grounded: `all`. */
  groundedFor?: GroundedFor | undefined
}

/**
 * Changes a member's billing mode, instruction rates, tax exemption and grounding. Absent fields, and absent rates
 * within `instructionRates`, stay. The reason is removed when the member is no longer grounded.
 * Implements interface §Members, PATCH /orgUsers/{id}.
 */
export async function updateOrgUser(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: OrgUserChanges,
): Promise<{ id: number }> {
  const member = await findMember(tx, actor.organizationId, { id })
  const { flight, ground, sim } = changes.instructionRates ?? {}
  const [rates, wasGrounded] = [ratesOf(member), member.grounded]
  if (changes.billingMode) member.billingMode = changes.billingMode
  if (flight !== undefined) member.flightRateCents = flight
  if (ground !== undefined) member.groundRateCents = ground
  if (sim !== undefined) member.simRateCents = sim
  if (changes.taxExempt !== undefined) member.taxExempt = changes.taxExempt
  if (changes.grounded !== undefined) member.grounded = changes.grounded
  if (changes.groundedReason && !member.grounded) throw identityErrors.notGrounded()
  if (!member.grounded) member.groundedReason = null
  else if (changes.groundedReason !== undefined) member.groundedReason = changes.groundedReason
  if (changes.groundedFor && !member.grounded) throw identityErrors.notGroundedFor()
  member.groundedFor = member.grounded ? (changes.groundedFor ?? member.groundedFor ?? 'all') : null
  const subject = { kind: 'member', id } as const
  if (changes.instructionRates || changes.taxExempt !== undefined || changes.billingMode) {
    const after = { ...ratesOf(member), own: id === actor.orgUserId }
    emit(tx, actor, { kind: 'rates.changed', subject, before: rates, after })
  }
  // The event does not carry the reason, which may be medical.
  if (member.grounded !== wasGrounded) {
    emit(tx, actor, { kind: member.grounded ? 'member.grounded' : 'member.returned', subject })
  }
  return { id }
}

/** Returns a member's instruction rates, tax exemption and billing mode, for the audit log. */
export function ratesOf({
  flightRateCents = null,
  groundRateCents = null,
  simRateCents = null,
  taxExempt,
  billingMode,
}: Membership) {
  return { flightRateCents, groundRateCents, simRateCents, taxExempt, billingMode }
}
