import fastifyCompress from '@fastify/compress'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The floors (baselines) of the HTTP scenarios: a Fastify server with `pg`, without authentication. `GET /empty` returns
 * an empty body. `GET /one` and `GET /week` run one prepared statement, written by hand for what the answer shows, and
 * serialize its rows with JSON.stringify; `GET /packed` is `/week` with gzip. The environment variables `ORGANIZATION`,
 * `BOOKING`, `FROM` and `TO` name the rows.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const { ORGANIZATION: organization, BOOKING: booking, FROM: from, TO: to } = process.env

const booked = `r.id, r.title, r.type, r.starts_at, r.ends_at, r.time_zone_name, r.notes, r.created_at, r.updated_at,
  r.created_by, c.search_name as created_by_name, r.collection_style, r.passengers, r.ifr,
  r.resource_id, x.name as resource_name, x.kind, x.tail_number, r.location_id, l.name as location_name`
const places = `left join membership c on c.organization_id = r.organization_id and c.id = r.created_by
  left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
  left join location l on l.organization_id = r.organization_id and l.id = r.location_id`
const seat = `s.side, s.membership_id, m.search_name as name`
const person = 'left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id'

const statements = {
  one: `select ${booked}, (select json_agg(one) from (select ${seat} from seat s ${person}
      where s.organization_id = $1 and s.reservation_id = r.id order by s.id) one) as seats
    from reservation r ${places} where r.organization_id = $1 and r.id = $2`,
  /** A row for each seat, in the order of the bookings. */
  week: `select ${booked}, ${seat} from reservation r ${places}
    left join seat s on s.organization_id = r.organization_id and s.reservation_id = r.id ${person}
    where r.organization_id = $1 and r.starts_at < $3 and r.ends_at > $2 and r.cancelled_at is null
    order by r.starts_at desc, r.id desc, s.id`,
}

interface SeatRow extends Record<string, unknown> {
  id: number
  side: string
  membership_id: number
  name: string
}

/** Returns the bookings of rows that are one for each seat. */
function assembled(rows: SeatRow[]) {
  const bookings = new Map<number, Record<string, unknown> & { seats: unknown[] }>()
  for (const { side, membership_id, name, ...row } of rows) {
    const known = bookings.get(row.id) ?? { ...row, seats: [] }
    known.seats.push({ side, membership_id, name })
    bookings.set(row.id, known)
  }
  return [...bookings.values()]
}

async function week() {
  const { rows } = await pool.query({ name: 'week', text: statements.week, values: [organization, from, to] })
  return { data: assembled(rows) }
}

const app = Fastify()
await app.register(fastifyCompress, { global: false })
app.get('/empty', async () => '')
app.get('/one', async () => {
  const { rows } = await pool.query({ name: 'one', text: statements.one, values: [organization, booking] })
  return { data: rows[0] }
})
app.get('/week', week)
app.get('/packed', async (_request, reply) => {
  reply.type('application/json')
  return reply.compress(JSON.stringify(await week()))
})
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
