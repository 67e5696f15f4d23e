import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import { admins, type Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Currency } from '../qualification.tables.ts'

const flyers: Role[] = ['instructor', 'student', 'renter']

const withPassengersOrStudents: ReservationType[] = ['rental', 'shared', 'dual', 'guest']

/**
 * Adds the currencies of a new organization: the flight review (24 calendar months, 14 CFR 61.56), which a student pilot on a
 * solo flight does not need (61.56(g)), and the medical (61.23). Both apply to the pilot in command, and only warn.
 */
export function addDefaultCurrencies(tx: Tx, organizationId: number): void {
  for (const [name, kind, reservationTypes] of [
    ['Flight review', 'flight_review', withPassengersOrStudents],
    ['Medical', 'medical', ['solo', ...withPassengersOrStudents]],
  ] as const) {
    tx.em.create(Currency, {
      organizationId,
      name,
      kind,
      roles: flyers,
      reservationTypes: [...reservationTypes],
      resourceIds: [],
      privilege: kind === 'medical' ? 'private' : null,
      appliesTo: 'pic',
      liftedWhenSupervised: true,
      overridableBy: [...admins],
    })
  }
}
