import { momentInWords } from '../../communication/notifications/templates/when.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { ReservationRow } from '../../scheduling/reservations/reservation.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import type { PayerId, Share } from '../flight-bill/flight-bill.types.ts'
import { agreedToFlight, takeableFrom } from '../flight-bill/taking.rules.ts'
import { findPayersToTell, type PayerToTell } from './charge-notice.access.ts'
import { tellPayer } from './invoices.jobs.ts'

/** What holds up the invoices of a flight: from when on they may be raised, and a sentence for each payer who was told. */
export interface Held {
  until: Date
  warnings: string[]
}

/**
 * Holds up the invoices of a locked flight while money would be taken from a payer who did not agree to it: the payer is mailed
 * once, and 24 hours after that mail a job invoices the flight. Cleared signatures, as by other payers, settle it. All of its payers wait,
 * since an objection changes what each of them pays. Null: nothing holds them up.
 * Implements interface §Invoices.
 * @throws Invalid when such a payer has no address to be told on.
 */
export async function holdForPayers(
  tx: Tx,
  { organizationId, organization }: Actor,
  row: ReservationRow,
  { shares, payers }: { shares: readonly Share[]; payers: readonly PayerId[] },
): Promise<Held | null> {
  const about = { signatures: row.confirmations, payers }
  const unsigned = shares.filter(({ payer }) => payer.orgUserId !== null && !agreedToFlight(payer, about))
  if (unsigned.length === 0) return null
  const flight = { organizationId, reservationId: row.id }
  const ids = unsigned.map(({ payer }) => payer.orgUserId!)
  const members = new Map((await findPayersToTell(tx, flight, ids)).map((one) => [one.orgUserId, one]))
  const held: Held = { until: tx.now, warnings: [] }
  for (const { payer, wholeCents: amountCents, uses } of unsigned) {
    const member = members.get(payer.orgUserId!)
    const sources = member ? sourcesOf(member, uses.length > 0) : []
    if (!member || sources.length === 0) continue
    if (!member.reachable) throw billingErrors.payerToSign({ payer: payer.name })
    const told = takeableFrom({ agreed: false, amountCents, told: member.told }, tx.now)
    const from = told ?? takeableFrom({ agreed: false, amountCents, told: { amountCents, toldAt: tx.now } }, tx.now)!
    if (told === null) {
      await writeNotice(tx, flight, { orgUserId: member.orgUserId, amountCents })
      tx.enqueue(tellPayer, {
        ...flight,
        orgUserId: member.orgUserId,
        sources,
        currency: organization.settings.currency,
      })
    }
    if (from <= tx.now) continue
    const moment = momentInWords(from, row.time_zone_name)
    const isTold = told !== null && member.isSent
    held.warnings.push(
      isTold
        ? billingErrors.payerTold({ payer: payer.name, moment })
        : billingErrors.payerMailed({ payer: payer.name }),
    )
    if (from > held.until) held.until = from
  }
  return held.warnings.length > 0 ? held : null
}

/** Returns what pays a member's invoice without the member: packages first, then the account, or else the card. */
function sourcesOf({ onLedger, autopay }: PayerToTell, packages: boolean) {
  const rest = onLedger ? (['account'] as const) : autopay ? (['card'] as const) : []
  return [...(packages ? (['packages'] as const) : []), ...rest]
}

async function writeNotice(
  tx: Tx,
  { organizationId, reservationId }: { organizationId: number; reservationId: number },
  { orgUserId, amountCents }: { orgUserId: number; amountCents: Share['wholeCents'] },
): Promise<void> {
  const told = { amount_cents: amountCents, told_at: null }
  await tx.db
    .insertInto('charge_notice')
    .values({ organization_id: organizationId, reservation_id: reservationId, membership_id: orgUserId, ...told })
    .onConflict((on) => on.columns(['organization_id', 'reservation_id', 'membership_id']).doUpdateSet(told))
    .execute()
}
