import { CompiledQuery, type RawBuilder } from 'kysely'
import type { Source } from './read-rows.ts'

/** Stands for a value while the text of a statement is built. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

type Values = Record<string, number>

/**
 * Returns a function that runs a statement whose text is built once, at its first run. `make` builds it, and may only pass
 * its values on as parameters: they are not known yet.
 */
export function builtOnce<Row, Given extends Values>(
  make: (given: Given) => RawBuilder<Row>,
): (source: Source, given: Given) => Promise<Row[]> {
  let built: CompiledQuery | undefined
  return async (source, given) => {
    const db = 'selectFrom' in source ? source : source.db
    built ??= make(Object.fromEntries(Object.keys(given).map((name) => [name, new Place(name)])) as never).compile(db)
    const values = built.parameters.map((value) => (value instanceof Place ? given[value.name] : value))
    return (await db.executeQuery<Row>(CompiledQuery.raw(built.sql, values))).rows
  }
}
