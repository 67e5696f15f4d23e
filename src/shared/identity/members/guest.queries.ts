import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { containing } from '../../platform/db/read-rows.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { undeliveredJson, undeliveredMailKeys } from '../../platform/deliveries/undelivered-mail.queries.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

export const guestSortKeys: SortKeys = {
  id: byValue('id'),
  name: byText('name'),
  email: byText('email'),
  phone: byText('phone'),
  createdAt: byValue('created_at'),
  ...undeliveredMailKeys('guest_id', 'guest'),
  updatedAt: byValue('updated_at'),
}

/**
 * Lists the guests of an organization, sorted by name. With `q`, only those whose name, address or phone number
 * contains it.
 */
export function listGuests(db: Db, organizationId: number, q: string | undefined) {
  return pageable(
    db,
    selectGuests(db, organizationId)
      .$if(Boolean(q), (query) =>
        query.where((eb) =>
          eb.or((['name', 'email', 'phone'] as const).map((column) => eb(column, 'ilike', containing(q ?? '')))),
        ),
      )
      .orderBy('name')
      .orderBy('id'),
    guestSortKeys,
  )
}

/** Returns one guest of an organization. */
export async function findGuest(db: Db, organizationId: number, id: number): Promise<GuestRow> {
  const row = await selectGuests(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

function selectGuests(db: Db, organizationId: number) {
  return db
    .selectFrom('guest')
    .selectAll()
    .select(undeliveredJson('guest_id', 'guest').as('undelivered'))
    .where('organization_id', '=', organizationId)
}

export type GuestRow = Awaited<ReturnType<ReturnType<typeof selectGuests>['execute']>>[number]
