import 'reflect-metadata'
import { DataSource, EntitySchema, In, IsNull, LessThan, MoreThan } from 'typeorm'
import { serve } from './nest-app.mjs'

const id = { type: 'int', primary: true, generated: 'identity' }
const number = { type: 'int' }
const text = { type: 'text' }
const instant = { type: 'timestamptz' }
const orNull = (column) => ({ ...column, nullable: true })
const made = (column) => ({ ...column, insert: false })
const table = (name, columns, relations = {}) =>
  new EntitySchema({ name, tableName: name, columns: { id, organization_id: number, ...columns }, relations })
const one = (target, column) => ({ type: 'many-to-one', target, joinColumn: { name: column }, persistence: false })

const membership = table('membership', { account_id: orNull(number), search_name: text, removed_at: orNull(instant) })
const location = table('location', { name: text, time_zone_name: text })
const resource = table('resource', { name: text, kind: text, tail_number: orNull(text) })
const reservation = table(
  'reservation',
  {
    title: text,
    type: text,
    starts_at: instant,
    ends_at: instant,
    time_zone_name: text,
    notes: orNull(text),
    resource_id: orNull(number),
    location_id: orNull(number),
    created_by: number,
    cancelled_at: orNull(instant),
    collection_style: made(text),
    passengers: made(number),
    ifr: made({ type: 'boolean' }),
    created_at: made(instant),
    updated_at: made(instant),
  },
  {
    resource: one('resource', 'resource_id'),
    location: one('location', 'location_id'),
    creator: one('membership', 'created_by'),
    seats: { type: 'one-to-many', target: 'seat', inverseSide: 'reservation', persistence: false },
  },
)
const seat = table(
  'seat',
  {
    reservation_id: number,
    side: text,
    position: number,
    membership_id: orNull(number),
    live: made({ type: 'boolean' }),
    starts_at: instant,
    ends_at: instant,
  },
  { reservation: one('reservation', 'reservation_id'), member: one('membership', 'membership_id') },
)

const source = await new DataSource({
  type: 'postgres',
  url: process.env.DATABASE_URL,
  entities: [membership, location, resource, reservation, seat],
  poolSize: 10,
}).initialize()
const [members, bookings] = [source.getRepository('membership'), source.getRepository('reservation')]
const relations = { resource: true, location: true, creator: true, seats: { member: true } }

await serve({
  member: (organization_id, id) => members.findOneBy({ organization_id, id, removed_at: IsNull() }),
  one: (organization_id, id) => bookings.findOne({ where: { organization_id, id }, relations }),
  between: (organization_id, from, to) =>
    bookings.find({
      where: { organization_id, starts_at: LessThan(to), ends_at: MoreThan(from), cancelled_at: IsNull() },
      order: { starts_at: 'desc', id: 'desc' },
      relations,
    }),
  create: ({ booking, seats }) =>
    source.transaction(async (tx) => {
      const { organization_id, resource_id, starts_at, ends_at } = booking
      const at = { organization_id, starts_at: LessThan(ends_at), ends_at: MoreThan(starts_at) }
      const taken = await tx.existsBy('reservation', { ...at, resource_id, cancelled_at: IsNull() })
      const people = seats.map((one) => one.membership_id)
      const busy = await tx.existsBy('seat', { ...at, membership_id: In(people), live: true })
      if (taken || busy) return null
      const { id } = await tx.save('reservation', booking)
      await tx.insert(
        'seat',
        seats.map((one) => ({ ...one, reservation_id: id })),
      )
      return id
    }),
})
