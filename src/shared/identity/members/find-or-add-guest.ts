import type { Tx } from '../../platform/db/transaction.ts'

/** A person outside the organization, as given in a booking or an invoice. */
export interface GuestInput {
  name: string
  email: string | null
  phone: string | null
}

/**
 * Returns the id of the organization's guest with this address. Adds a guest when there is none, or when no address is
 * given. A given phone number replaces the stored one; the stored name stays.
 */
export async function findOrAddGuest(tx: Tx, organizationId: number, guest: GuestInput): Promise<number> {
  const values = { organization_id: organizationId, name: guest.name, email: guest.email, phone: guest.phone }
  const row = await tx.db
    .insertInto('guest')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'email'])
        .where('email', 'is not', null)
        .doUpdateSet((excluded) => ({ phone: excluded.fn.coalesce('excluded.phone', 'guest.phone') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
