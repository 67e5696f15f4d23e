import { Invoice, invoiceView } from '../api/billing/invoices/invoice.view.ts'
import { Squawk, squawkView } from '../api/fleet/maintenance/squawk.view.ts'
import { Resource, resourceView } from '../api/fleet/resources/resource.view.ts'
import { BookingRequest, bookingRequestView } from '../api/scheduling/booking-requests/booking-request.view.ts'
import { Reservation, reservationView } from '../api/scheduling/reservations/reservation.view.ts'
import { Offer, offerView } from '../api/scheduling/waitlist/waitlist.view.ts'
import { Enrollment, enrollmentView } from '../api/training/enrollments/enrollment.view.ts'
import { recordView, TrainingRecord } from '../api/training/records/record.view.ts'
import { findInvoice } from '../shared/billing/invoices/invoice.queries.ts'
import { findSquawk } from '../shared/fleet/maintenance/squawk.queries.ts'
import { findResource } from '../shared/fleet/resources/resource.queries.ts'
import type { Actor } from '../shared/platform/authz/actor.ts'
import { readSettings } from '../shared/platform/authz/organization-settings.ts'
import { roleFlags } from '../shared/platform/authz/roles.ts'
import type { JobTools } from '../shared/platform/jobs/job-tools.ts'
import { NotFound } from '../shared/platform/kernel/errors.ts'
import { platformErrors } from '../shared/platform/platform.errors.ts'
import { findBookingRequest } from '../shared/scheduling/booking-requests/booking-request.queries.ts'
import { findReservation } from '../shared/scheduling/reservations/one-reservation.queries.ts'
import { findOffer } from '../shared/scheduling/waitlist/offer.queries.ts'
import { findEnrollment } from '../shared/training/enrollments/enrollment.queries.ts'
import { findRecord } from '../shared/training/records/record.queries.ts'

/** The record that an event is about. */
interface RecordOf {
  organizationId: number
  id: number
}

type Read = (tools: Pick<JobTools, 'database' | 'clock'>, of: RecordOf) => Promise<unknown>

/** Returns an actor who has an admin's rights in the organization but is no real member. */
function anAdmin(organizationId: number): Actor {
  return {
    accountId: 0,
    orgUserId: 0,
    organizationId,
    name: '',
    emailVerified: true,
    roles: roleFlags({ admin: true }),
    organization: { name: '', demo: false, timeZoneName: 'UTC', settings: readSettings({}) },
  }
}

/**
 * Returns a function that reads a record and returns it in the shape of the API's response, without fields that the
 * schema does not name.
 */
function answeredAs<Row>(
  schema: { parse(value: unknown): unknown },
  find: (...given: Parameters<Read>) => Promise<Row | null>,
  view: (row: Row, now: Date, reader: Actor) => unknown,
): Read {
  return async (tools, of) => {
    const row = await find(tools, of)
    if (row === null) throw platformErrors.noSuchRecord()
    return schema.parse(view(row, tools.clock(), anAdmin(of.organizationId)))
  }
}

/** The function that reads the record, per kind of subject of public events. */
const records: Record<string, Read> = {
  reservation: answeredAs(
    Reservation,
    ({ database }, of) => findReservation(database, of.organizationId, of.id),
    (row, now, reader) => ({ ...reservationView(row, reader, now), fee: null }),
  ),
  invoice: answeredAs(
    Invoice,
    ({ database, clock }, of) => findInvoice(database, of.organizationId, of.id, clock()),
    (row, now) => invoiceView(row, now),
  ),
  booking_request: answeredAs(
    BookingRequest,
    ({ database }, of) => findBookingRequest(database, of.organizationId, of.id),
    (row) => bookingRequestView(row),
  ),
  offer: answeredAs(
    Offer,
    ({ database }, of) => findOffer(database.db, anAdmin(of.organizationId), of.id),
    (row, _now, reader) => ({ ...offerView(row, reader), warnings: [], estimatedCents: null }),
  ),
  training_record: answeredAs(
    TrainingRecord,
    ({ database }, of) => findRecord(database, of.organizationId, of.id),
    (row) => recordView(row),
  ),
  enrollment: answeredAs(
    Enrollment,
    ({ database }, of) => findEnrollment(database, of.organizationId, of.id),
    (row) => enrollmentView(row),
  ),
  resource: answeredAs(
    Resource,
    ({ database }, of) => findResource(database.db, of.organizationId, of.id),
    (row) => resourceView(row),
  ),
  squawk: answeredAs(
    Squawk,
    ({ database }, of) => findSquawk(database.db, of.organizationId, of.id),
    (row) => squawkView(row),
  ),
}

/**
 * Returns the present record of a subject (`<kind>:<id>`) as an admin reads it; only its id when it is deleted.
 * @throws Error when webhooks send no events of this kind of subject.
 */
export async function readSubject(
  tools: Pick<JobTools, 'database' | 'clock'>,
  organizationId: number,
  subject: string,
): Promise<unknown> {
  const [kind = '', id] = subject.split(':')
  const read = records[kind]
  if (!read) throw new Error(`no webhook tells of a ${kind}`)
  try {
    return await read(tools, { organizationId, id: Number(id) })
  } catch (error) {
    if (error instanceof NotFound) return { id: Number(id) }
    throw error
  }
}
