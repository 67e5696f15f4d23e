import type { Statement } from '../../../shared/billing/statements/statement.rules.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { type Cents, cents, minus, ZERO } from '../../../shared/platform/kernel/units.ts'
import { localDate } from '../../../shared/platform/kernel/zones.ts'
import { makePdf } from '../../pdf/make-pdf.ts'
import type { Columns } from '../../pdf/write-table.ts'
import { type SchoolOnPaper, schoolLines } from '../invoices/pdf/invoice-sheet.ts'

interface Line {
  date: string
  description: string
  amount: string
  balance: string
}

const columns: Columns<keyof Line> = {
  date: { title: 'Date', width: 66 },
  description: { title: 'Description' },
  amount: { title: 'Amount', width: 86, align: 'right' },
  balance: { title: 'Balance', width: 86, align: 'right' },
}

/** What is left of a package: cents of credit, or tenths of an hour. */
interface Left {
  name: string
  remainingCents: number | null
  remainingDeciHours: number | null
}

/** The subject of a statement: the member, the window, the currency, and what is left of the member's packages. */
export interface StatementOf {
  member: string
  window: { start: Date; end: Date }
  currency: string
  packages: readonly Left[]
}

/** Renders a statement as a PDF with as many pages as its rows need. Dates are local to the school's zone. */
export function renderStatement(
  { openingBalanceCents, closingBalanceCents, rows }: Statement,
  { member, window, currency, packages }: StatementOf,
  school: SchoolOnPaper,
  madeAt: Date,
): Promise<Buffer> {
  const money = (amount: Cents) => formatMoney(amount, currency)
  const [first, last] = [
    localDate(window.start, school.zone),
    localDate(new Date(window.end.getTime() - 1), school.zone),
  ]
  const balance = (date: string, description: string, cents: Cents): Line => ({
    date,
    description,
    amount: '',
    balance: money(cents),
  })
  const lines = [
    balance(first, 'Opening balance', openingBalanceCents),
    ...rows.map(({ at, kind, number, description, amountCents, packageCents, balanceCents }) => ({
      date: localDate(at, school.zone),
      description:
        (kind === 'invoice' || kind === 'package') && number !== null
          ? `Invoice ${number}: ${description}${packageCents === null ? '' : ` (${money(packageCents)})`}`
          : description,
      amount: money(amountCents),
      balance: money(balanceCents),
    })),
    balance(last, 'Closing balance', closingBalanceCents),
  ]
  const [name = '', ...address] = schoolLines(school)
  const country = school.details.address.country ?? null
  return makePdf({ title: `Statement of ${member}`, author: name, country, madeAt }, (paper) => {
    const top = paper.y
    paper.text(name, { size: 14, bold: true, width: 280 })
    paper.text(address.join('\n'), { grey: true, width: 280 })
    const left = paper.y
    const right = { x: 290, align: 'right' } as const
    paper.title('Statement', { ...right, size: 18, y: top })
    paper.text(`From ${first} to ${last}`, right)
    paper.text(`Made on ${localDate(madeAt, school.zone)}`, right)
    paper.y = Math.max(left, paper.y) + 18
    paper.text('Account of', { grey: true })
    paper.text(member)
    paper.skip(16)
    paper.table(columns, lines)
    paper.skip(10)
    paper.keepTogether(40)
    paper.text(closingWords(closingBalanceCents, money), { bold: true, align: 'right' })
    for (const one of packages) paper.text(`Left of ${one.name}: ${leftInWords(one, money)}`, { align: 'right' })
  })
}

function leftInWords({ remainingCents, remainingDeciHours }: Left, money: (amount: Cents) => string): string {
  if (remainingCents !== null) return money(cents(remainingCents))
  return `${((remainingDeciHours ?? 0) / 10).toFixed(1)} h`
}

function closingWords(closing: Cents, money: (amount: Cents) => string): string {
  if (closing > 0) return `To pay: ${money(closing)}`
  return closing < 0 ? `In your favour: ${money(minus(ZERO, closing))}` : 'Nothing is due.'
}
