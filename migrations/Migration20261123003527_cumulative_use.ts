import { Migration } from '@mikro-orm/migrations'

/** A limit of a maintenance item by cumulative use, as of the battery of a locator transmitter (14 CFR 91.207(c)(1)). */
export class Migration20261123003527_cumulative_use extends Migration {
  override up(): void {
    this.addSql('alter table maintenance_limit add column used_hundredths integer check (used_hundredths >= 0)')
    this.addSql('alter table maintenance_limit drop constraint maintenance_limit_basis_check')
    this.addSql(`
      alter table maintenance_limit add constraint maintenance_limit_basis_check
        check (basis in ('calendar', 'hobbs', 'tach', 'landings', 'use')) not valid`)
    this.addSql('alter table maintenance_limit validate constraint maintenance_limit_basis_check')
  }
}
