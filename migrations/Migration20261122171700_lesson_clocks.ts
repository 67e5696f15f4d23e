import { Migration } from '@mikro-orm/migrations'

const clocks = [
  'flight',
  'instruction',
  'simulator',
  'ground',
  'night',
  'cross_country',
  'actual_instrument',
  'simulated_instrument',
  'instrument',
  'pic',
  'solo',
  'landings',
  'full_stops',
  'night_takeoffs',
  'night_full_stops',
  'approaches',
]

/** Lessons credit what a flight log counts; records hold it, and credit says in which kind of device it was. */
export class Migration20261122171700_lesson_clocks extends Migration {
  override up(): void {
    const times = ['night', 'cross_country', 'actual_instrument', 'simulated_instrument', 'pic', 'solo']
    const columns = [...times.map((time) => `${time}_tenths`), 'landings']
    this.addSql(
      `alter table training_record ${columns.map((column) => `add column ${column} integer check (${column} >= 0)`).join(', ')}`,
    )
    const one = clocks.map((clock) => `'${clock}'`).join(', ')
    for (const table of ['syllabus_credit', 'credit_entry']) {
      this.addSql(`
        alter table ${table} drop constraint ${table}_clock_check,
          add constraint ${table}_clock_check check (clock in (${one})) not valid`)
      this.addSql(`alter table ${table} validate constraint ${table}_clock_check`)
    }
    const kinds = "('ffs', 'ftd', 'aatd', 'batd')"
    this.addSql(`alter table credit_entry add column device_kind text check (device_kind in ${kinds})`)
    this.addSql("alter table syllabus_requirement add column device_ceilings jsonb not null default '[]'")
  }
}
