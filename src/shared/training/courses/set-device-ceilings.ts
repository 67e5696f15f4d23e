import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { trainingErrors } from '../training.errors.ts'
import { type Appendix, appendixTerms, areNested, type DeviceCeiling } from './device-ceilings.rules.ts'
import { lockVersion } from './version.access.ts'

/**
 * Sets the device ceilings of a draft, as shares of its flight training, and the appendix of Part 141 under which the
 * course is approved. Without ceilings in the input, the ceilings of the appendix apply; without an appendix, none.
 * Implements interface §Training: PUT deviceCeilings. 14 CFR 141 Appendices B to D.
 */
export async function setDeviceCeilings(
  tx: Tx,
  actor: Actor,
  versionId: number,
  { appendix, deviceCeilings }: { appendix: Appendix | null; deviceCeilings?: DeviceCeiling[] | undefined },
): Promise<{ id: number }> {
  const version = await lockVersion(tx, actor, versionId, 'edit')
  const ceilings = deviceCeilings ?? (appendix === null ? [] : appendixTerms[appendix].ceilings)
  if (!areNested(ceilings)) throw trainingErrors.ceilingsOverlap()
  version.appendix = appendix
  version.deviceCeilings = [...ceilings]
  return { id: version.id }
}
