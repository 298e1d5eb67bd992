! SPDX-License-Identifier: Apache-2.0
! Images, their life, teams of them, and how they wait for each other.
module job_checks
  use checks
  use makespan
  implicit none
  private
  public :: check_life, check_images, check_sync, check_teams

contains

  subroutine check_life()
    integer :: stat
    character(200) :: errmsg

    call part('life')
    errmsg = 'as before'
    call makespan_begin(stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'while a runtime is open')
    errmsg = 'as before'
    call progress(stat, errmsg)
    call check(stat == makespan_ok, 'progress is well')
    call check(errmsg == 'as before', 'errmsg stays as it is when all is well')
    call check(index(job_summary(), 'transport') > 0, 'the summary names the transport')
    call use_thread(1)
    call use_thread(3, stat, errmsg)
    call check_refused(stat, errmsg, 'use_thread with thread 3')
    call check_refused(stat, errmsg, 'threads are 1 to 2')
    call use_thread(0, stat, errmsg)
    call check_refused(stat, errmsg, 'use_thread with thread 0')
  end subroutine

  subroutine check_images()
    integer :: image, stat
    character(200) :: errmsg

    call part('images')
    call check(this_image() >= 1 .and. this_image() <= num_images(), 'images count from 1')
    do image = 1, num_images()
      call check(is_alive(image), 'all are alive')
      call check(loss_of(image) == '', 'no loss has a reason')
    end do
    call check(size(failed_images()) == 0, 'none has failed')
    call accept_loss(1)
    call accept_loss(0, stat, errmsg)
    call check_refused(stat, errmsg, 'image 0')
    call accept_loss(num_images() + 1, stat, errmsg)
    call check_refused(stat, errmsg, 'images are 1 to')
  end subroutine

  subroutine check_sync()
    type(symmetric_int32) :: flags
    integer :: image, stat, round
    integer :: no_images(0)
    character(200) :: errmsg

    call part('sync')
    call flags%allocate(num_images())
    do round = 1, 20
      ! A chain: each image is let go by the one before.
      if (this_image() > 1) then
        call sync_images(this_image() - 1)
        call check(flags%local(this_image() - 1) >= round, 'what was put before sync_images')
      end if
      if (this_image() < num_images()) then
        call flags%put(round, this_image() + 1, first=this_image())
        call sync_images([this_image() + 1])
      end if
    end do
    call sync_images([(image, image=1, num_images())])
    call sync_images(no_images)
    call sync_images([1, 1], stat, errmsg)
    call check_refused(stat, errmsg, 'twice')
    call sync_images(num_images() + 1, stat, errmsg)
    call check_refused(stat, errmsg, 'sync_images with image')

    call flags%put(-this_image(), next_image(), first=1)
    call sync_memory(next_image(), stat, errmsg)
    call check(stat == makespan_ok, 'sync_memory of one image')
    call sync_memory()
    call sync_memory(0, stat, errmsg)
    call check_refused(stat, errmsg, 'image 0')
    call sync_all(stat, errmsg)
    call check(stat == makespan_ok, 'sync_all')
    call check(flags%local(1) == -previous_image(), 'what was put before sync_memory')
    call sync_all()
    call flags%deallocate()
  end subroutine

  subroutine check_teams()
    type(image_team) :: half, single, same
    type(symmetric_int32) :: words
    integer :: stat, number, expected, value, i
    character(200) :: errmsg

    call part('teams')
    call words%allocate(1)
    call check(team_number() == -1, 'the initial team is number -1')
    number = 1 + mod(this_image() - 1, 2)
    call form_team(number, half)
    call check(team_number(half) == number, 'a team knows its number')
    call check(this_image(half) == (this_image() + 1) / 2, 'members keep their order')
    expected = (num_images() + 2 - number) / 2
    call check(num_images(half) == expected, 'a team has its members')

    call change_team(half)
    call check(team_number() == number, 'the team is current')
    call free_team(half, stat, errmsg)
    call check_refused(stat, errmsg, 'end_team')
    same = half
    call free_team(same, stat, errmsg)
    call check_refused(stat, errmsg, 'end_team')
    call check(num_images() == expected, 'num_images is of the team')
    call check(this_image() == this_image(half), 'this_image is of the team')
    value = 1
    call co_sum(value)
    call check(value == expected, 'collectives are of the team')
    call words%put(100 * number + this_image(), next_image())
    call sync_all()
    call check(words%local(1) == 100 * number + previous_image(), 'image numbers are of the team')
    call words%get(value, num_images() + 1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'the current team has')
    call words%deallocate(stat, errmsg)
    call check_refused(stat, errmsg, 'inside change_team')
    call check(associated(words%local), 'an array that was not given back is there')

    ! A team of a team, in reverse.
    call form_team(1, single, new_index=num_images() - this_image() + 1)
    call check(this_image(single) == num_images() - this_image() + 1, 'new_index is the order')
    call change_team(single)
    value = this_image()
    call co_broadcast(value, 1)
    call check(value == 1, 'a team inside a team')
    call sync_team(half)
    call end_team()
    call free_team(single)
    call end_team()

    call check(team_number() == -1, 'back in the initial team')
    same = half
    call free_team(half)
    call check(this_image(half) == 0 .and. num_images(half) == 0, 'a freed team has no images')
    call free_team(same, stat, errmsg)
    call check_refused(stat, errmsg, 'was freed')
    call sync_team(same, stat, errmsg)
    call check_refused(stat, errmsg, 'was freed')
    call change_team(same, stat, errmsg)
    call check_refused(stat, errmsg, 'was freed')
    call end_team(stat, errmsg)
    call check_refused(stat, errmsg, 'initial')
    call form_team(0, half, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'team number 0')
    call free_team(half, stat, errmsg)
    call check_refused(stat, errmsg, 'null')

    ! As deep as it goes.
    call form_team(1, half)
    do i = 1, 16
      call change_team(half)
    end do
    call change_team(half, stat, errmsg)
    call check_refused(stat, errmsg, '17th')
    do i = 1, 16
      call end_team()
    end do
    call free_team(half)
    call words%deallocate()
  end subroutine

  integer function next_image()
    next_image = 1 + mod(this_image(), num_images())
  end function

  integer function previous_image()
    previous_image = 1 + mod(this_image() + num_images() - 2, num_images())
  end function

end module job_checks
