import { Migration } from '@mikro-orm/migrations'

/** Names that people search for have composed letters (NFC), as new ones are written. A group stays whose composed name is taken. */
export class Migration20261126011934_composed_letters extends Migration {
  override up(): void {
    const columns = [
      ['account', 'name'],
      ['membership', 'search_name'],
      ['guest', 'name'],
      ['location', 'name'],
      ['resource', 'name'],
    ]
    for (const [table, column] of columns) {
      this.addSql(`update ${table} set ${column} = normalize(${column}, NFC) where ${column} is not nfc normalized`)
    }
    this.addSql(`update member_group g set name = normalize(g.name, NFC) where g.name is not nfc normalized
      and not exists (select 1 from member_group o where o.organization_id = g.organization_id and o.name = normalize(g.name, NFC))`)
  }
}
