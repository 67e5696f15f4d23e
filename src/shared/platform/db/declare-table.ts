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
 * What the service's role may do with the rows besides reading them. When absent, it may insert, update and delete. An
 * `append only` table also has a trigger, `append_only`, which refuses updates and deletions even by the owner.
 */
type Rights<Column> = 'no delete' | 'insert only' | 'append only' | { update: readonly Column[] }

/**
 * How long rows are kept: `days` after the instant in `since`, and fewer days for some; until the instant in `until`;
 * or until the condition `unless` holds. With `where`, rows that do not match it are kept. Conditions are SQL. The
 * service's role deletes expired rows; where it may not, the function `purge`, which runs as the owner, deletes them.
 */
export type Kept<Column> =
  | { days: number; since: Column; where?: string; fewer?: { days: number; where: string } }
  | { until: Column }
  | { unless: string }
  | { days: number; purge: string }

/** The columns of a table and its other facts. */
interface Facts<Columns> {
  columns: Columns
  rights?: Rights<keyof NoInfer<Columns> & string>
  kept?: Kept<keyof NoInfer<Columns> & string>
  /**
   * Set when the booking rules read the table. A trigger then causes bookings to be checked again when a row changes.
   */
  readByBookingRules?: true
  /** Text and JSON columns that can name a person. Erasing the person replaces the name in them. */
  mayName?: readonly (keyof NoInfer<Columns> & string)[]
}

/**
 * Whether an export of the organization contains the rows, and without which columns: those that give access to
 * something, and those that only the service needs. A table without `organizationId` is in no export.
 */
type Exported<Columns> = Columns extends { organizationId: object }
  ? { exported: boolean | { without: readonly (keyof Columns & string)[] } }
  : { exported?: never }

type Declaration<Columns> = Facts<Columns> & Exported<NoInfer<Columns>>

/** A column that refers to a membership, and what merging and erasing the member do with its rows. */
export interface ReferenceColumn extends MembershipReference {
  table: string
  column: string
}

/** The facts of a declared table, with the names that are used in the database. */
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
 * @throws RangeError when the table declares no number of days
 */
export function daysKept(declared: object): number {
  const kept = tableOf(declared)?.kept
  if (!kept || !('days' in kept)) throw new RangeError('the table says of no number of days')
  return kept.days
}

/**
 * Returns the columns that refer to a membership, in the order of `referenceKinds`: those of the given parts, or all.
 */
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

/** Declares a table of records that are loaded, checked and changed over many requests. Only the ORM writes it. */
export function aggregate<const Name extends string, const Columns extends Record<string, object>>(
  name: Name,
  declaration: Declaration<Columns>,
) {
  return declare('aggregate', name, declaration)
}

/**
 * Declares a table whose rows are replaced, added or marked as a set. Kysely writes it; the ORM only has its columns.
 */
export function set<const Name extends string, const Columns extends Record<string, object>>(
  name: Name,
  declaration: Declaration<Columns>,
) {
  return declare('set', name, declaration)
}

/**
 * Declares a table of events or tasks. Kysely inserts the rows; later it only marks them, for example as done.
 */
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

/**
 * Returns what a merge does with the rows, with column names of the database.
 * @throws RangeError when a declared key is not a column of the table
 */
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
