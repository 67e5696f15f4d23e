import type { RenewingEndorsement } from './recency.types.ts'

/**
 * The endorsements of AC 61-65 that renew a currency, by edition and code: flight reviews (also in an, SFAR 73),
 * the instrument proficiency check, and solo flight. Except for the SFAR 73 reviews, they are the templates of the catalog
 * that have this `renews`.
 */
export const renewingEndorsements: readonly {
  renews: RenewingEndorsement['renews']
  codes: Readonly<Record<string, readonly string[]>>
}[] = [
  {
    renews: 'flight_review',
    codes: { 'AC 61-65K': ['A.69', 'A.70', 'A.64', 'A.68'], 'AC 61-65H': ['A.65', 'A.66', 'A.60', 'A.64'] },
  },
  { renews: 'instrument', codes: { 'AC 61-65K': ['A.71'], 'AC 61-65H': ['A.67'] } },
  {
    renews: 'solo',
    codes: { 'AC 61-65K': ['A.6', 'A.7', 'A.61', 'A.65'], 'AC 61-65H': ['A.6', 'A.7', 'A.57', 'A.61'] },
  },
]
