import { sql } from 'kysely'
import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns the ids of the resources that a type of booking can use, by name; none for a ground lesson, which needs no
 * room.
 */
export async function findResourcesFor(db: Db, organizationId: number, type: ReservationType): Promise<number[]> {
  if (type === 'ground') return []
  const rows = await db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('kind', 'in', [...typeRules[type].resources])
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the orgUserIds of the instructors of an organization by name; with `choice` only those that it contains. */
export async function findInstructors(
  db: Db,
  organizationId: number,
  choice?: readonly number[] | undefined,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select m.id from membership m
    where m.organization_id = ${organizationId} and m.instructor and m.removed_at is null
    order by m.search_name, m.id`.execute(db)
  return rows.map(({ id }) => id).filter((id) => !choice || choice.includes(id))
}
