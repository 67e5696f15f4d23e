import { isDay } from '../../platform/kernel/instants.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { trainingErrors } from '../training.errors.ts'
import {
  type EndorsementParameters,
  type EndorsementTemplate,
  endorsementParameters,
} from './catalog/endorsement-template.ts'
import { CURRENT_EDITION, CURRENT_SINCE, type Edition } from './endorsement-templates.ts'

interface Dated {
  signedAt: Date | null
  trainingAt: Date | null
}

/**
 * Checks that an earlier edition is used only for an endorsement that was signed before the current edition came into
 * force. Implements interface §Training: POST /training/endorsements.
 */
export function assertTakesEdition(
  { edition, signedAt }: { edition: Edition; signedAt: Date | null },
  zone: string,
): void {
  if (edition === CURRENT_EDITION) return
  if (signedAt === null || localDate(signedAt, zone) >= CURRENT_SINCE) throw trainingErrors.editionNotCurrent()
}

/**
 * Checks that neither the signature nor the training is in the future, and that the training was not after the
 * signature. Implements interface §Training: POST /training/endorsements.
 */
export function assertHasHappenedInOrder({ signedAt, trainingAt }: Dated, now: Date, zone: string): void {
  if (signedAt !== null && signedAt > now) throw trainingErrors.inFuture({ field: 'signedAt' })
  if (trainingAt === null) return
  const trained = localDate(trainingAt, zone)
  if (trained > localDate(now, zone)) throw trainingErrors.inFuture({ field: 'trainingAt' })
  if (trained > localDate(signedAt ?? now, zone)) throw trainingErrors.trainedAfterSigning()
}

/**
 * Refuses parameters that the template does not have; without a template, parameters that no template of the catalog
 * has. Refuses an airplane or a helicopter for a template that excludes them. Requires the day of the flight (`date`) for
 * a template of a single flight, unless an expiry is given. Implements interface §Training: POST /training/endorsements.
 */
export function assertFitsTemplate(
  template: EndorsementTemplate | null,
  { parameters, expiresAt }: { parameters: EndorsementParameters; expiresAt?: Date | null | undefined },
): void {
  const known: readonly string[] = template?.parameters ?? endorsementParameters
  const strange = Object.keys(parameters).find((name) => !known.includes(name))
  if (strange) throw trainingErrors.unknownParameter({ parameter: strange })
  if (template?.notForAirplanesOrHelicopters) assertIsNeitherAirplaneNorHelicopter(template, parameters)
  const single = template?.validity && 'singleFlight' in template.validity
  if (!single || expiresAt !== undefined) return
  if (parameters.date === undefined) throw trainingErrors.flightDayMissing()
  if (!isDay(parameters.date)) throw trainingErrors.flightDayUnreadable()
}

/**
 * Refuses an airplane or a helicopter, whose class is sometimes named as the category, in any case. Another category or
 * class of a sport pilot is added by a proficiency check, these two by a practical test. Implements 14 CFR 61.321(b),
 * 61.419(e).
 */
function assertIsNeitherAirplaneNorHelicopter({ rules }: EndorsementTemplate, parameters: EndorsementParameters): void {
  const field = (['category', 'class'] as const).find((name) => /airplane|helicopter/i.test(parameters[name] ?? ''))
  if (field) throw trainingErrors.practicalTestNeeded({ field: `parameters.${field}`, rule: rules.at(-1) ?? '' })
}
