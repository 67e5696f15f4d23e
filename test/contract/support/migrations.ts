import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Migration } from '@mikro-orm/migrations'

/** What a migration file would run, and whether in one transaction. */
export async function statementsOf(file: string): Promise<{ transactional: boolean; statements: string[] }> {
  const exported: Record<string, new (...none: never[]) => Migration> = await import(pathToFileURL(file).href)
  const migration = new exported[basename(file, '.ts')]!()
  await migration.up()
  return { transactional: migration.isTransactional(), statements: migration.getQueries().map(String) }
}
