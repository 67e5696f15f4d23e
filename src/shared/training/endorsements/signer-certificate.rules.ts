/** `other_number`: not the number of the signer's verified certificate; `ended`: that certificate had ended. */
export const certificateFlaws = ['other_number', 'ended'] as const
export type CertificateFlaw = (typeof certificateFlaws)[number]

/** An instructor certificate as a profile has it; `validUntil` is its last day, `YYYY-MM-DD`. */
export interface InstructorCertificate {
  number?: string | null | undefined
  validUntil?: string | null | undefined
}

/**
 * The instructor certificate of the profile of a signer: as it is stated, and as it was verified. `endedOn` is the local day on
 * which somebody ended it.
 */
export interface SignerCertificate {
  stated: InstructorCertificate | null
  verified: InstructorCertificate | null
  endedOn?: string | null
}

/**
 * Returns the certificate number with which an endorsement is signed: the given one, else that of the signer's profile,
 * verified or not. Returns also what contradicts the verified certificate on the day of the signature; numbers are compared
 * by their letters and digits, with or without the suffix CFI. An unverified certificate contradicts nothing; one that
 * somebody ended is ended in any case. Implements interface §Training: POST
 * /training/endorsements; 14 CFR 61.189(a).
 */
export function signedWith(
  given: string | null,
  { stated, verified, endedOn = null }: SignerCertificate,
  signedOn: string,
): { number: string | null; flaw: CertificateFlaw | null } {
  const number = given ?? stated?.number ?? verified?.number ?? null
  if (verified?.number && number !== null && plain(number) !== plain(verified.number)) {
    return { number, flaw: 'other_number' }
  }
  const hasEnded = (endedOn !== null && endedOn <= signedOn) || (verified?.validUntil ?? signedOn) < signedOn
  return { number, flaw: hasEnded ? 'ended' : null }
}

function plain(number: string): string {
  return number
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/cfi$/, '')
}
