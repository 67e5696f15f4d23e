import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Resource } from '../fleet.tables.ts'
import { poolDifferences } from './pool.rules.ts'

type Pooled = Pick<Resource, 'id' | 'name' | 'kind' | 'traits' | 'pool'>

/** Returns whether a change of a resource puts it into a pool, takes it out of one, or makes it another member of its pool. */
export function joinsPool(
  { kind, traits, pool = null }: Pooled,
  before: Pick<Resource, 'traits'> & { pool: string | null },
): boolean {
  return pool !== before.pool || (pool !== null && poolDifferences({ kind, traits }, { ...before, kind }).length > 0)
}

/**
 * Checks a resource against the other members of its pool, and emits the event when its pool changes. The lock makes two
 * changes of pools of an organization run one at a time, so that each sees the other.
 */
export async function changePool(tx: Tx, actor: Actor, resource: Pooled, before: string | null): Promise<void> {
  const { id, name, pool = null } = resource
  const { organizationId } = actor
  if (pool !== null) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`pools ${organizationId}`}, 0))`.execute(tx.db)
    const others = await tx.db
      .selectFrom('resource')
      .select(['name', 'kind', 'traits'])
      .where('organization_id', '=', organizationId)
      .where('id', '<>', id)
      .where(sql`lower(pool)`, '=', sql`lower(${pool})`)
      .orderBy('id')
      .execute()
    for (const other of others) {
      const differs = poolDifferences(resource, other)
      if (differs.length === 0) continue
      const words = { resource: name, pool, other: other.name, differences: differs.join(', ') }
      throw fleetErrors.poolDiffers(words, { differs })
    }
  }
  if (pool === before) return
  emit(tx, actor, {
    kind: 'pool.changed',
    subject: { kind: 'resource', id },
    before: { pool: before },
    after: { pool },
  })
}
