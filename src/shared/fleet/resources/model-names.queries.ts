import { type RawBuilder, sql } from 'kysely'
import type { MakeAndModel, NamedAircraft } from './model-names.rules.ts'

/** Returns SQL for whether the class of a resource is a multiengine one, in words (`multi_engine_land`) or as a code (`AMEL`, `AMES`). */
export function isMultiengine(alias: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(regexp_replace(${sql.ref(`${alias}.traits`)} ->> 'class', '[^a-zA-Z]', '', 'g') ~* 'multi|^ame[ls]$', false)`
}

/** Returns SQL for whether a resource is a plane that its short names may name (`NamedAircraft`). */
export function isPlain(alias: string): RawBuilder<boolean> {
  const of = sql.ref(`${alias}.traits`)
  const flag = (name: string) => sql`coalesce((${of} ->> ${sql.lit(name)})::boolean, false)`
  return sql<boolean>`(${sql.ref(`${alias}.kind`)} = 'plane' and coalesce(${of} ->> 'category', 'airplane') = 'airplane'
    and coalesce(${of} ->> 'engines', '1') = '1' and not ${isMultiengine(alias)}
    and coalesce(${of} ->> 'typeRating', '') = ''
    and not (${flag('complex')} or ${flag('highPerformance')} or ${flag('tailwheel')}))`
}

/** Returns SQL for what names resource `alias` of an organization. */
export function namedAircraft(alias: string): RawBuilder<NamedAircraft> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`json_build_object('make', ${column('make')}, 'model', ${column('model')}, 'endorsedAs', coalesce(${column('endorsed_as')}, '[]'),
    'plain', coalesce(${isPlain(alias)}, false))`
}

/** Returns SQL for the makes and models of an organization's aircraft that are not plain. */
export function unlikeAircraft(organizationId: number): RawBuilder<MakeAndModel[]> {
  return sql`coalesce((select json_agg(distinct jsonb_build_object('make', u.make, 'model', u.model, 'endorsedAs', u.endorsed_as))
    from resource u where u.organization_id = ${organizationId} and u.kind = 'plane' and not ${isPlain('u')}), '[]')`
}
