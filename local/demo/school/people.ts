import type { Role } from '../../../src/shared/platform/authz/roles.ts'
import { cents } from '../../../src/shared/platform/kernel/units.ts'

/** The password of all people of the demo school. */
export const DEMO_PASSWORD = 'clear-prop-runway-28'

interface DemoPerson {
  name: string
  email: string
  roles: Role[]
  /** The rates that a student is charged for the instructor, in cents per hour. */
  rates?: { flight: number; ground: number; sim: number }
  /** The pay of the instructor, in cents per hour. */
  pay?: { flight: number; ground: number; sim: number }
}

const at = (name: string) => `${name}@bayflight.example`

/** The people of Bay Flight Academy; the first is its founder. */
export const people = {
  olivia: { name: 'Olivia Grant', email: at('olivia'), roles: ['owner', 'admin'] },
  adam: { name: 'Adam Novak', email: at('adam'), roles: ['admin'] },
  dana: { name: 'Dana Whitfield', email: at('dana'), roles: ['dispatcher'] },
  ivan: {
    name: 'Ivan Petrov',
    email: at('ivan'),
    roles: ['instructor'],
    rates: { flight: cents(7_500), ground: cents(6_000), sim: cents(6_500) },
    pay: { flight: cents(4_500), ground: cents(3_000), sim: cents(3_500) },
  },
  isabel: {
    name: 'Isabel Moreno',
    email: at('isabel'),
    roles: ['instructor'],
    rates: { flight: cents(8_200), ground: cents(6_500), sim: cents(7_000) },
    pay: { flight: cents(5_000), ground: cents(3_200), sim: cents(3_800) },
  },
  sam: { name: 'Sam Okafor', email: at('sam'), roles: ['student'] },
  stella: { name: 'Stella Lindqvist', email: at('stella'), roles: ['student'] },
  sofia: { name: 'Sofia Rossi', email: at('sofia'), roles: ['student'] },
  samir: { name: 'Samir Haddad', email: at('samir'), roles: ['student'] },
  theo: { name: 'Theo Marsh', email: at('theo'), roles: ['student'] },
  rita: { name: 'Rita Chen', email: at('rita'), roles: ['renter'] },
  tom: { name: 'Tom Becker', email: at('tom'), roles: ['technician'] },
} as const satisfies Record<string, DemoPerson>

export type PersonKey = keyof typeof people

/** The accounts to sign in with, one per role. */
export const signIns: { role: Role; email: string }[] = (
  [
    ['owner', 'olivia'],
    ['admin', 'adam'],
    ['dispatcher', 'dana'],
    ['instructor', 'ivan'],
    ['student', 'sam'],
    ['renter', 'rita'],
    ['technician', 'tom'],
  ] as const
).map(([role, key]) => ({ role, email: people[key].email }))
