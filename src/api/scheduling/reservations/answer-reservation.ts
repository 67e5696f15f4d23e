import { sql } from 'kysely'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { findTermsNow } from '../../../shared/billing/fees/free-until.queries.ts'
import { waitUntilIssued } from '../../../shared/billing/invoices/create-invoice.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { OutboxEntry } from '../../../shared/platform/db/transaction.ts'
import { Invalid } from '../../../shared/platform/kernel/errors.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { findReservation } from '../../../shared/scheduling/reservations/one-reservation.queries.ts'
import {
  findFlight,
  findReservations,
  type ReservationRow,
} from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { schedulingErrors } from '../../../shared/scheduling/scheduling.errors.ts'
import type { CreatedBookings } from '../../../shared/workflows/create-reservation.ts'
import { type Answer, accepted, created } from '../../http/answers.ts'
import type { Services } from '../../http/services.ts'
import { operationView } from '../../platform/operations/operation.view.ts'
import { beside, type Warning } from '../rules/problem.view.ts'
import { termsView } from './fee.view.ts'
import { reservationView } from './reservation.view.ts'

/** Returns one booking as the reader may see it, with the terms of its cancellation as they are now. */
export async function viewReservation({ database, clock }: Services, reader: Actor, id: number) {
  const now = clock()
  const row = await findReservation(database, reader.organizationId, id)
  const view = seenBy(reader, row, now)
  if (!row || !view.cancellationTerms) return view
  return { ...view, cancellationTerms: termsView(await findTermsNow(database.db, reader, row, now)) }
}

/** Returns one booking that probably has figures, signatures or invoices, as the reader may see it. */
export async function viewFlight({ database, clock }: Services, reader: Actor, id: number) {
  return seenBy(reader, await findFlight(database, reader.organizationId, id), clock())
}

function seenBy(reader: Actor, row: ReservationRow | null, now: Date) {
  if (!row) throw schedulingErrors.noSuchBooking()
  return reservationView(row, reader, now)
}

/** The services and context of a response. */
export interface ResponseContext {
  services: Services
  actor: Actor
  enqueued: OutboxEntry[]
  now: Date
}

/**
 * Returns a new booking or a whole series with what is left out of it, with the warnings of the rules, and a warning when its prepaid price is not
 * charged.
 * Implements interface §Reservations rule 1.
 */
async function answerBooked(
  booked: Omit<CreatedBookings, 'warnings'> & { series: boolean; warnings: Warning[] },
  context: ResponseContext,
): Promise<Answer> {
  const { ids, invoiceId, series, skipped } = booked
  const { services, actor, now } = context
  const warnings = beside([...booked.warnings, ...(await packageWarnings(context, invoiceId))])
  if (!series) return created(await viewReservation(services, actor, ids[0]!), warnings)
  const rows = await findReservations(services.database, actor.organizationId, {
    where: sql`r.id = any(${ids})`,
    orderBy: sql`r.starts_at, r.id`,
  })
  return created(
    rows.map((row) => reservationView(row, actor, now)),
    { ...warnings, ...(skipped.length > 0 && { skipped }) },
  )
}

/** Returns what a request created: bookings, or for maintenance that displaces others the operation of its recovery, whose job it publishes. */
export async function answerCreated(
  made: CreatedBookings | { id: number },
  series: boolean,
  context: ResponseContext,
): Promise<Answer> {
  if ('ids' in made) return answerBooked({ ...made, series }, context)
  const { services, actor, enqueued } = context
  services.relay.publish(enqueued)
  const operation = await findOperation(services.database.db, { actor, kinds: ['recovery'] }, made.id)
  return accepted(operationView(operation!))
}

/**
 * Publishes the jobs of a booking, waits for the charge of its prepaid price, and returns a warning when it is not
 * charged.
 */
export async function packageWarnings(context: ResponseContext, invoiceId: number | null): Promise<Warning[]> {
  if (invoiceId === null) {
    context.services.relay.publish(context.enqueued)
    return []
  }
  try {
    const { warnings = [] } = await waitUntilIssued(context, invoiceId)
    return warnings.map(chargeWarning)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return [chargeWarning(schedulingErrors.packageNotCharged({ reason: error.message }))]
  }
}

function chargeWarning(message: string): Warning {
  return { rule: 'prepaid_charge', code: 'PREPAID_CHARGE', message, field: '', overridable: false }
}

/** The warning after a change of people when the shares of the remaining payers do not add up to the whole. */
export const payersChangedWarning: Warning = {
  rule: 'payers_changed',
  code: 'PAYERS_CHANGED',
  message: schedulingErrors.payersChanged(),
  field: 'personnel',
  overridable: false,
}

/** The warning about a restored booking whose fee was charged. */
export const feeStandsWarning: Warning = {
  rule: 'cancellation_fee',
  code: 'CANCELLATION_FEE',
  message: billingErrors.feeStands(),
  field: '',
  overridable: false,
}
