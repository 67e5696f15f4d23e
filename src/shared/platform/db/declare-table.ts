import { defineEntity, types } from '@mikro-orm/core'
import {
  type MembershipReference,
  type OnMerge,
  type ReferenceKind,
  referenceKinds,
  referenceOf,
} from './member-columns.ts'

/** How a table is written: docs/decisions/0005. */
type Written = 'aggregate' | 'set' | 'log'

/**
 * What the service's role may do with the rows beside reading them; without it, it adds, changes and deletes them. A table that is
 * `append only` has a trigger of that name, which refuses changes to the owner too.
 */
type Rights<Column> = 'no delete' | 'insert only' | 'append only' | { update: readonly Column[] }

/**
 * How long rows are kept: days since an instant, and fewer for some; until an instant; or while a condition does not hold.
 * Conditions are SQL. The service's role deletes them, or where it may not, a function of the owner with this name.
 */
export type Kept<Column> =
  | { days: number; since: Column; where?: string; fewer?: { days: number; where: string } }
  | { until: Column }
  | { unless: string }
  | { days: number; purge: string }

/** The columns of a table and what else holds for it. */
interface Facts<Columns> {
  columns: Columns
  rights?: Rights<keyof NoInfer<Columns> & string>
  kept?: Kept<keyof NoInfer<Columns> & string>
  /** The booking rules read it: a change of a row has bookings judged again, by a trigger. */
  readByBookingRules?: true
  /** Columns of texts and JSON in which a person may be named, and where erasing writes another name. */
  mayName?: readonly (keyof NoInfer<Columns> & string)[]
}

/**
 * Whether an export of the organization has the rows, and without which columns: what gives access to something, and what only the
 * service needs. A table that says of no organization whose its rows are is in none.
 */
type Exported<Columns> = Columns extends { organizationId: object }
  ? { exported: boolean | { without: readonly (keyof Columns & string)[] } }
  : { exported?: never }

type Declaration<Columns> = Facts<Columns> & Exported<NoInfer<Columns>>

/** A column that refers to a membership, and what merging and erasing do with its rows. */
export interface ReferenceColumn extends MembershipReference {
  table: string
  column: string
}

/** A declared table as the lists that are derived from it need it, in the names of the database. */
export interface Table {
  name: string
  written: Written
  columns: readonly string[]
  rights: Rights<string> | undefined
  /** The columns that an export leaves out; null when it leaves out the table. */
  withheld: readonly string[] | null
  references: readonly ReferenceColumn[]
  kept: Kept<string> | undefined
  readByBookingRules: boolean
  mayName: readonly { column: string; json: boolean }[]
}

const tables = new WeakMap<WeakKey, Table>()

/** Returns the facts of a declared table; undefined for anything else. */
export function tableOf(declared: unknown): Table | undefined {
  return typeof declared === 'object' && declared !== null ? tables.get(declared) : undefined
}

/**
 * Returns the days for which the rows of a table are kept.
 * @throws RangeError when it does not say
 */
export function daysKept(declared: object): number {
  const kept = tableOf(declared)?.kept
  if (!kept || !('days' in kept)) throw new RangeError('the table says of no number of days')
  return kept.days
}

/** Returns the columns that refer to a membership, in the order of kinds: of some parts, or of all when none are given. */
export function referencesOf(
  all: readonly Table[],
  parts?: readonly MembershipReference['part'][],
): readonly ReferenceColumn[] {
  const order = (kind: ReferenceKind) => referenceKinds.indexOf(kind)
  return all
    .flatMap((table) => table.references)
    .filter(({ part }) => !parts || parts.includes(part))
    .sort((a, b) => order(a.kind) - order(b.kind))
}

/** Declares a table with a life of its own: the ORM loads it, and it is decided on and changed over many requests. */
export function aggregate<const Name extends string, const Columns extends Record<string, object>>(
  name: Name,
  declaration: Declaration<Columns>,
) {
  return declare('aggregate', name, declaration)
}

/** Declares a table whose rows are replaced, added to or marked as a whole. Kysely writes it; the ORM knows its columns only. */
export function set<const Name extends string, const Columns extends Record<string, object>>(
  name: Name,
  declaration: Declaration<Columns>,
) {
  return declare('set', name, declaration)
}

/** Declares a table of what happened or is to be done: rows are added, and at most marked. Kysely writes it. */
export function log<const Name extends string, const Columns extends Record<string, object>>(
  name: Name,
  declaration: Declaration<Columns>,
) {
  return declare('log', name, declaration)
}

function declare<const Name extends string, const Columns extends Record<string, object>>(
  written: Written,
  name: Name,
  declaration: Declaration<Columns>,
) {
  const {
    columns,
    rights,
    kept,
    exported,
    readByBookingRules = false,
    mayName = [],
  } = declaration as Facts<Columns> & {
    exported?: boolean | { without: readonly string[] }
  }
  const entity = defineEntity({ name, tableName: name, properties: columns })
  const references = Object.entries(columns).flatMap(([key, property]) => {
    const reference = referenceOf(property)
    return reference ? [{ ...reference, merge: mergeOf(reference, columns), table: name, column: columnOf(key) }] : []
  })
  tables.set(entity, {
    name,
    written,
    columns: Object.keys(columns).map(columnOf),
    rights: typeof rights === 'object' ? { update: rights.update.map(columnOf) } : rights,
    withheld: exported ? (exported === true ? [] : exported.without.map(columnOf)) : null,
    references,
    kept: kept && inColumns(kept),
    readByBookingRules,
    mayName: mayName.map((key) => ({ column: columnOf(key), json: isJson(columns[key]) })),
  })
  return entity
}

/** Returns what a merge does, in columns. A key that is none of the table is a fault of the declaration. */
function mergeOf({ merge }: MembershipReference, columns: object): OnMerge {
  if (typeof merge !== 'object') return merge
  const unknown = merge.once.filter((key) => !(key in columns))
  if (unknown.length > 0) throw new RangeError(`no columns: ${unknown.join(', ')}`)
  return { once: merge.once.map(columnOf) }
}

function inColumns(kept: Kept<string>): Kept<string> {
  if ('since' in kept) return { ...kept, since: columnOf(kept.since) }
  return 'until' in kept ? { until: columnOf(kept.until) } : kept
}

function isJson(property: object | undefined): boolean {
  return (property as { '~options'?: { type?: unknown } } | undefined)?.['~options']?.type === types.json
}

/** Returns the name of a column in the database. */
function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
