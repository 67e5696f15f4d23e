import type { Db } from '../../platform/db/database.ts'
import { identityErrors } from '../identity.errors.ts'
import { findStoredBytes } from './stored-bytes.queries.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
/** The most bytes that can be uploaded within 24 hours, and the most that can be stored. */
const MOST_A_DAY = GIB
const MOST_STORED = 20 * GIB
const DAY_S = 86_400

/**
 * Ensures that an organization may store more files. The files of all organizations of an owner are counted together:
 * otherwise an owner could raise the limit by adding organizations.
 * @param bytes the size of the file that is about to be stored; 1 when it is not known
 * @param factor multiplies the limits
 */
export async function assertHasRoomForFiles(
  db: Db,
  organizationId: number,
  { now, factor, bytes = 1 }: { now: Date; factor: number; bytes?: number },
): Promise<void> {
  const stored = await findStoredBytes(db, organizationId, new Date(now.getTime() - DAY_S * 1000))
  if (stored.inAll + bytes > MOST_STORED * factor) {
    throw identityErrors.storageFull({ retryAfterSeconds: DAY_S })
  }
  if (stored.sinceThen + bytes > MOST_A_DAY * factor) {
    const ageS = stored.oldestSinceThen ? (now.getTime() - stored.oldestSinceThen.getTime()) / 1000 : 0
    throw identityErrors.dayFull({ retryAfterSeconds: Math.max(1, Math.ceil(DAY_S - ageS)) })
  }
}
