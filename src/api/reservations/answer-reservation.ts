import type { Actor } from '../../shared/authz/actor.ts'
import { NotFound } from '../../shared/kernel/errors.ts'
import { findReservation } from '../../shared/reservations/reservation.queries.ts'
import type { Services } from '../http/services.ts'
import { reservationView } from './reservation.view.ts'

/** One booking as the reader may see it. @throws NotFound when the organization has none with this id. */
export async function viewReservation({ database }: Services, reader: Actor, id: number) {
  const row = await findReservation(database, reader.organizationId, id)
  if (!row) throw new NotFound('There is no such booking.')
  return reservationView(row, reader)
}
