! SPDX-License-Identifier: Apache-2.0
! A job of three images that loses image 2: the others hear of it by stat, and go on by themselves. What they
! print is looked at.
program loss_test
  use makespan
  implicit none
  type(symmetric_int32) :: counter
  type(symmetric_event) :: ready
  type(image_team) :: rest
  integer :: stat, old, total, me
  integer, allocatable :: failed(:)
  character(300) :: errmsg

  call makespan_begin(stat=stat, errmsg=errmsg)
  if (stat /= makespan_ok) error stop 'makespan_begin'
  call counter%allocate(1)
  call ready%allocate()
  me = this_image()
  call form_team(merge(2, 1, me == 2), rest)
  call sync_all()
  if (me == 2) error stop 'image 2 ends here, as it should'

  call sync_all(stat, errmsg)
  call tell('stat of sync_all is that of a failed image', stat == makespan_image_failed)
  call tell('errmsg names the image', index(errmsg, 'image 1 is lost') > 0)
  call tell('is_alive knows the lost one', .not. is_alive(2))
  call tell('is_alive knows the first', is_alive(1))
  call tell('is_alive knows the last', is_alive(3))
  failed = failed_images()
  call tell('failed_images knows it', size(failed) == 1 .and. all(failed == 2))
  call tell('loss_of says why', len(loss_of(2)) > 0)

  ! Where messages carry it, it is never acknowledged: the flush of that image fails from now on.
  call counter%atomic_add(1, image=2, stat=stat)
  call sync_images(4 - me, stat, errmsg)
  call tell('sync_images without the lost one goes on', stat == makespan_ok)
  call sync_team(rest, stat, errmsg)
  call tell('sync_team without the lost one goes on', stat == makespan_ok)

  call accept_loss(2)
  call sync_memory(stat=stat, errmsg=errmsg)
  call tell('sync_memory goes on', stat == makespan_ok)
  call counter%atomic_fetch_add(this_image(), old, image=1)
  call ready%post(4 - this_image(), stat=stat)
  call ready%wait(stat=stat, errmsg=errmsg)
  call tell('events go on', stat == makespan_ok)
  call sync_images(4 - this_image(), stat, errmsg)
  call tell('sync_images of those that are left goes on', stat == makespan_ok)
  call counter%atomic_ref(total, image=1)
  call tell('counters go on', total == 4)
  call sync_images(4 - this_image())
  call sync_images(2, stat, errmsg)
  call tell('sync_images with the lost one ends', stat == makespan_image_failed)
  call sync_images(4 - this_image(), stat, errmsg)
  call tell('the next sync_images goes on', stat == makespan_ok)
  call makespan_end(stat, errmsg)
  call tell('the job ends', stat == makespan_ok)

contains

  subroutine tell(what, is_so)
    character(*), intent(in) :: what
    logical, intent(in) :: is_so

    if (is_so) then
      print '(a, i0, 2a)', 'image ', me, ': so it is: ', what
    else
      print '(a, i0, 4a)', 'image ', me, ': not so: ', what, ': ', trim(errmsg)
    end if
  end subroutine

end program
