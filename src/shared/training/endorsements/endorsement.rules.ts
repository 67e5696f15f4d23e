import { addDays, endOfMonthAfter, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import type { EndorsementTemplate, Signer } from './catalog/endorsement-template.ts'

/** The instants from which the validity of an endorsement can count, and the local day of a single flight. */
export interface EndorsementDays {
  signedAt: Date
  /** Null when the training was on the day of the signature. */
  trainingAt: Date | null
  /** `YYYY-MM-DD`; null when none is named. */
  flightOn: string | null
}

/**
 * Returns the expiry of an endorsement: the last millisecond of its last local day. Days count from the local date of
 * the signature or of the training, as the template defines. Calendar months end with the last day of the month. An
 * endorsement for a single flight ends with the day of the flight. Null when the endorsement never expires or the day
 * of the flight is not known.
 * Implements interface §Training: the default `expiresAt`; AC 61-65K, 14 CFR 61.87(n), 61.93(c)(3), 61.56(c).
 */
export function expiryOf(
  { validity, countsFrom }: Pick<EndorsementTemplate, 'validity' | 'countsFrom'>,
  { signedAt, trainingAt, flightOn }: EndorsementDays,
  zone: string,
): Date | null {
  if (validity === null) return null
  if ('singleFlight' in validity) return flightOn === null ? null : endOfDay(flightOn, zone)
  const from = countsFrom === 'training' ? (trainingAt ?? signedAt) : signedAt
  if ('calendarMonths' in validity) return endOfMonthAfter(from, validity.calendarMonths, zone)
  return endOfDay(addDays(localDate(from, zone), validity.days), zone)
}

function endOfDay(day: string, zone: string): Date {
  return new Date(wallToInstant(addDays(day, 1), 0, zone).getTime() - 1)
}

/** The signature of an endorsement: of the author, of a signer whom the author names, or none yet. */
export type Signature = 'own' | 'on_behalf' | 'unsigned'

/** The roles of the member who records an endorsement, and whether they name another signer. */
export interface Author {
  isInstructor: boolean
  isAdmin: boolean
  namesSigner: boolean
}

/**
 * Returns the signature of an endorsement; null when the author may not record it this way. An endorsement of an
 * instructor, or one without a prescribed signer, is signed by an author who is an instructor. An admin can record it
 * in the name of another instructor; an admin who is not an instructor can record it unsigned. An endorsement of an
 * examiner, an institution or another signer can only be recorded in the name of the signer.
 * Implements AC 61-65K (who may sign) and interface §Training (endorsements on behalf).
 */
export function signatureOf(signer: Signer | null, { isInstructor, isAdmin, namesSigner }: Author): Signature | null {
  if (signer !== null && !signer.endsWith('_instructor')) return namesSigner ? 'on_behalf' : null
  if (namesSigner) return isAdmin ? 'on_behalf' : null
  return isInstructor ? 'own' : 'unsigned'
}

/**
 * Returns a template's text with the known values filled in; other placeholders stay. Implements interface §Training:
 * GET /training/endorsements/templates.
 */
export function fillIn(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => known[name] ?? placeholder)
}

/** Returns the placeholders in a text, in order and without duplicates. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))]
}
