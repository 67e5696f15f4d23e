import { z } from 'zod'
import { Id, Person } from './schemas.ts'

/** Who signed: a member, or somebody who is not a member of the organization. */
export const Signer = Person.extend({
  orgUserId: Id.nullable().describe('null for a signer who is not a member'),
  certificateNumber: z.string().nullable().describe('The signer’s certificate number at the time of signing'),
}).meta({ id: 'Signer' })

type PersonView = z.input<typeof Person>

/** Returns a member in an answer; null for no member. */
export function personView(orgUserId: number, name: string): PersonView
export function personView(orgUserId: number | null, name: string | null): PersonView | null
export function personView(orgUserId: number | null, name: string | null): PersonView | null {
  return orgUserId === null ? null : { orgUserId, name: name ?? '' }
}

/** Returns who signed, with the number of their certificate; null for nobody. */
export function signerView(
  signer: { orgUserId: number | null; name: string } | null,
  certificateNumber: string | null,
): z.input<typeof Signer> | null {
  return signer && { orgUserId: signer.orgUserId, name: signer.name, certificateNumber }
}
