import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './generated/client.ts'
import { serve } from './nest-app.mjs'

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) })
const include = { resource: true, location: true, creator: true, seats: { include: { member: true } } }

await serve({
  member: (organization_id, id) => prisma.membership.findFirst({ where: { organization_id, id, removed_at: null } }),
  one: (organization_id, id) => prisma.reservation.findFirst({ where: { organization_id, id }, include }),
  between: (organization_id, from, to) =>
    prisma.reservation.findMany({
      where: { organization_id, starts_at: { lt: to }, ends_at: { gt: from }, cancelled_at: null },
      orderBy: [{ starts_at: 'desc' }, { id: 'desc' }],
      include,
    }),
  create: ({ booking, seats }) =>
    prisma.$transaction(async (tx) => {
      const { organization_id, resource_id, starts_at, ends_at } = booking
      const at = { organization_id, starts_at: { lt: ends_at }, ends_at: { gt: starts_at } }
      const taken = await tx.reservation.findFirst({ where: { ...at, resource_id, cancelled_at: null } })
      const people = seats.map((seat) => seat.membership_id)
      const busy = await tx.seat.findFirst({ where: { ...at, membership_id: { in: people }, live: true } })
      if (taken || busy) return null
      const { id } = await tx.reservation.create({ data: booking })
      await tx.seat.createMany({ data: seats.map((seat) => ({ ...seat, reservation_id: id })) })
      return id
    }),
})
