import Fastify from 'fastify'
import pg from 'pg'

/**
 * The floor (baseline) of the HTTP scenarios: a Fastify server with `pg`, without authentication. `GET /query` runs the
 * SQL of the service as a prepared statement and serializes the rows with JSON.stringify. `GET /empty` returns an empty
 * body. The environment variables `SQL` and `VALUES` hold the statement.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const app = Fastify()
app.get('/empty', async () => '')
app.get('/query', async (_request, reply) => {
  const { rows } = await pool.query({
    name: 'query',
    text: process.env.SQL ?? 'select 1',
    values: JSON.parse(process.env.VALUES ?? '[]'),
  })
  return reply.send({ data: rows })
})
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
