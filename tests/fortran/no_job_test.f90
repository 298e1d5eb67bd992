! SPDX-License-Identifier: Apache-2.0
! Goal: a function that needs a job, and has no stat=, says that there is none, and ends the program.
program no_job_test
  use makespan
  implicit none

  print '(a)', job_summary()
end program
