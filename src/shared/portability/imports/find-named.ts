import type { Tx } from '../../platform/db/transaction.ts'
import { readAddress } from '../../platform/kernel/addresses.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { required } from '../reading/columns.rules.ts'
import { line } from '../reading/parsers.rules.ts'
import { CellRefused } from './import.types.ts'
import { findKnownResources, findMembersNamed } from './known.queries.ts'
import { isNamed, isTail, nameKey, tailKey } from './match.rules.ts'

/** Parses the text by which a column refers to a member. */
export const memberName = line(254)

/**
 * Returns the column of the member that a row is about. `who` names the member in the description, and `alias` is a
 * further name of the column.
 */
export const memberColumn = (who: string, alias: string) =>
  required(memberName, {
    example: 'M-1042',
    doc: `externalId or address of the ${who}`,
    aliases: ['member id', 'member number', 'email', 'email address', 'mail', alias],
    firstFilled: true,
  })

/** Parses the text by which a column refers to an aircraft, simulator or room. */
export const resourceName = line(200)

/** The example, description and further names of the column of an aircraft. */
export const resourceWords = {
  example: 'N5240T',
  doc: 'Tail number or externalId of the aircraft',
  aliases: ['aircraft', 'tail number', 'tail'],
}

/** Returns the record to which a cell of a row refers. */
export type Named<T> = (column: string, name: string) => T

type MemberRow = Awaited<ReturnType<typeof findMembersNamed>>[number]

/** The ids of the loaded members, and the function that returns the member to which a cell refers. */
export interface NamedMembers {
  ids: readonly number[]
  idOf: Named<number>
}

/**
 * Loads the members to which rows refer: by external id, else by email address, else by name. The returned function
 * throws CellRefused when no member or more than one fits.
 */
export async function loadMembers(
  tx: Tx,
  organizationId: number,
  names: readonly (string | undefined)[],
): Promise<NamedMembers> {
  const known = await findMembersNamed(tx.db, organizationId, [...keysOf(names), ...keysOf(names, addressKey)])
  const tests: Fits<MemberRow>[] = [
    (one, name) => isNamed(one.externalId, name),
    (one, name) => isNamed(one.email, addressKey(name)),
    (one, name) => isNamed(one.name, name),
  ]
  const idOf = pickBy(known, tests, portabilityErrors.unknownMember())
  return { ids: known.map(({ id }) => id), idOf: (column, name) => idOf(column, name).id }
}

type ResourceRow = Awaited<ReturnType<typeof findKnownResources>>[number]

/**
 * Loads the resources to which rows refer: by external id, else by tail number, else by name. The returned function
 * throws CellRefused when no resource or more than one fits.
 */
export async function loadResources(
  tx: Tx,
  organizationId: number,
  names: readonly (string | undefined)[],
): Promise<Named<ResourceRow>> {
  const known = await findKnownResources(tx.db, organizationId, [...keysOf(names), ...keysOf(names, tailKey)])
  const tests: Fits<ResourceRow>[] = [
    (one, name) => isNamed(one.externalId, name),
    (one, name) => isTail(one.tailNumber, name),
    (one, name) => isNamed(one.name, name),
  ]
  return pickBy(known, tests, portabilityErrors.unknownResource())
}

/** Returns an email address in the form in which it is stored, and any other text as its `nameKey`. */
const addressKey = (name: string): string => readAddress(name) ?? nameKey(name)

/** Returns the keys of some names, each once. */
export function keysOf(names: readonly (string | undefined)[], keyOf: (name: string) => string = nameKey): string[] {
  return [...new Set(names.flatMap((name) => (name === undefined ? [] : [keyOf(name)])))]
}

/** Returns whether a record has a name or key. */
type Fits<T> = (one: T, name: string) => boolean

function pickBy<T>(known: readonly T[], tests: readonly Fits<T>[], unknown: Sentence): Named<T> {
  return (column, name) => {
    const found = tests.map((fits) => known.filter((one) => fits(one, name))).find(({ length }) => length > 0)
    const one = onlyOf(column, found ?? [], () => true)
    if (!one) throw new CellRefused(column, unknown)
    return one
  }
}

/**
 * Returns the one record that fits a cell; undefined when there is none.
 * @throws CellRefused when several records fit, because names and registrations are free text and need not be unique
 */
export function onlyOf<T>(column: string, known: readonly T[], fits: (one: T) => boolean): T | undefined {
  const found = known.filter(fits)
  if (found.length > 1) throw new CellRefused(column, portabilityErrors.severalSuch())
  return found[0]
}
