import type { Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { CurrencyRule } from './currency.entity.ts'

const flyers: Role[] = ['instructor', 'student', 'renter']

/**
 * Adds the currencies of a new organization: the flight review (24 calendar months, 14 CFR 61.56) and the medical.
 * Neither blocks a booking.
 */
export function addDefaultCurrencies(tx: Tx, organizationId: number): void {
  for (const [name, validCalendarMonths] of [
    ['Flight review', 24],
    ['Medical', null],
  ] as const) {
    tx.em.create(CurrencyRule, {
      organizationId,
      name,
      kind: 'expiring',
      roles: flyers,
      reservationTypes: [],
      resourceIds: [],
      validCalendarMonths,
    })
  }
}
