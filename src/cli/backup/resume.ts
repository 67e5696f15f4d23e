import { backupIn, release, whyHeld } from '../../shared/platform/db/hold.ts'
import { readSettings, say, withDatabase, withOwner } from '../with-database.ts'
import { compareWithGateway } from './compare.ts'

/**
 * `flightline resume`: compares the restored database with the payment gateway, and lets leave the service again what the restore held.
 * @throws Error when they differ so that money could be taken twice, unless that was looked at
 */
export async function runResume({ despiteDifferences }: { despiteDifferences: boolean }): Promise<void> {
  const config = readSettings()
  const why = await withOwner(config, 'flightline-resume', whyHeld)
  if (why === null) return say('Nothing was held.')
  const backup = backupIn(why)
  if (!backup) throw new Error(why)
  const { agrees, lines } = await withDatabase(config, (database) => compareWithGateway(config, database, backup))
  for (const line of lines) say(line)
  if (!agrees && !despiteDifferences) {
    throw new Error('still held: look into the above, then flightline resume --despite-differences')
  }
  await withOwner(config, 'flightline-resume', release)
  say('Workers go on.')
}
