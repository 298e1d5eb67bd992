! SPDX-License-Identifier: Apache-2.0
! Images: how a program becomes several, which one this is, teams of them, and how they wait for each other.
! Images and threads count from 1.
module makespan_job
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_int, c_int32_t, &
      c_int64_t, c_loc, c_null_ptr, c_ptr
  use makespan_c
  use makespan_open_job, only: is_in_job, job_thread, jobs_begun, runtime
  use makespan_outcome, only: c_text, conclude, refuse, text_at, text_of
  implicit none
  private

  public :: makespan_begin, makespan_end, job_summary, use_thread, progress
  public :: this_image, num_images
  public :: is_alive, failed_images, loss_of, accept_loss
  public :: image_team, form_team, change_team, end_team, free_team, team_number
  public :: sync_all, sync_images, sync_memory, sync_team

  ! For the other modules of makespan.
  public :: current_team, job_image, is_initial_team

  ! Images that work together, as team_type of Fortran 2018. Formed by form_team, collectively.
  type :: image_team
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: number = -1                ! as given to form_team; -1 for the initial team
    integer :: rank = 0                   ! of this image, from 1
    integer(c_int32_t), allocatable :: members(:)  ! by rank: images of the job, from 0
  end type

  ! change_team inside change_team inside ...; programs nest teams no deeper than the hierarchies of machines.
  integer, parameter :: depth_max = 16

  type(image_team), save, target :: open_teams(0:depth_max)
  integer, save :: depth = 0

  ! By other names inside, since these are intrinsic.
  interface this_image
    module procedure image_here
  end interface
  interface num_images
    module procedure images_there_are
  end interface
  interface sync_images
    module procedure sync_images_one, sync_images_several
  end interface

contains

  ! ---- beginning and ending

  ! All images call it, before anything else. One job at a time; under mpiexec a second one, after
  ! makespan_end, needs MPI that the program itself begins, with MPI_THREAD_MULTIPLE, and ends. Functions
  ! that other images call run afterwards. What the environment says (MAKESPAN_PROGRESS,
  ! MAKESPAN_TRANSPORT, MAKESPAN_HEAP_MIB, ...) overrides the arguments.
  !   threads       how many threads of this image will communicate, 1 to 4096, 1 unless said otherwise;
  !                 see use_thread
  !   progress_mode makespan_progress_manual, _nap, _event or _spin: who serves other images while
  !                 this one computes; _manual
  !   transport     'shm', 'am', 'rma', 'ucx', 'shm+am', 'shm+ucx' or 'auto'; 'auto'
  !   heap_mib      what symmetric arrays may take on each image [MiB], 1 to 2**26; 32
  !   wait_limit_s  a wait in which nothing happens for so long fails with makespan_timeout [s], above 0;
  !                 300
  !   stealing      whether a thread with nothing to do runs remote calls for others of its image; true
  subroutine makespan_begin(threads, progress_mode, transport, heap_mib, wait_limit_s, stealing, &
      stat, errmsg)
    integer, intent(in), optional :: threads, progress_mode, heap_mib
    character(*), intent(in), optional :: transport
    real(c_double), intent(in), optional :: wait_limit_s
    logical, intent(in), optional :: stealing
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_options) :: options
    character(kind=c_char), allocatable, target :: transport_name(:)
    type(c_ptr) :: begun
    integer(c_int) :: status

    call c_options_init(options)
    if (present(threads)) options%threads = int(threads, c_int32_t)
    if (present(progress_mode)) options%progress = int(progress_mode, c_int32_t)
    if (present(heap_mib)) options%heap_bytes = heap_mib * 2_c_int64_t**20
    if (present(wait_limit_s)) options%wait_limit_s = wait_limit_s
    if (present(stealing)) options%stealing = merge(0_c_int32_t, 1_c_int32_t, stealing)
    if (present(transport)) then
      transport_name = c_text(transport)
      options%transport = c_loc(transport_name)
    end if
    status = c_begin_all(options, begun)
    if (status == makespan_ok) then
      runtime = begun
      jobs_begun = jobs_begun + 1
      call open_initial_team(status)
    end if
    call conclude(status, stat, errmsg)
  end subroutine

  subroutine open_initial_team(status)
    integer(c_int), intent(out) :: status

    depth = 0
    open_teams(0)%number = -1
    status = c_team_of_all(runtime, open_teams(0)%handle)
    if (status == makespan_ok) call fill_in(open_teams(0), status)
  end subroutine

  ! All images call it, last. Arrays, events and teams mean nothing afterwards. Where MPI's own last calls
  ! do not come back for 60 s, it prints so and ends this process with status 1.
  subroutine makespan_end(stat, errmsg)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status

    if (.not. is_in_job('makespan_end', stat, errmsg)) return
    status = c_end_all(runtime)
    if (status == makespan_ok) then
      runtime = c_null_ptr
      depth = 0
      open_teams(0) = image_team()
    end if
    call conclude(status, stat, errmsg)
  end subroutine

  ! In one line, for logs: images, nodes, threads of each, launcher, transport, endpoints, progress.
  function job_summary() result(text)
    character(:), allocatable :: text
    type(c_description) :: facts

    text = ''
    if (.not. is_in_job('job_summary')) return
    call conclude(c_describe(runtime, facts))
    text = 'images ' // text_of(int(facts%images)) // ', nodes ' // &
        text_of(int(facts%nodes)) // ', threads ' // text_of(int(facts%threads)) // &
        ', launcher ' // text_at(facts%launcher) // ', transport ' // text_at(facts%transport) // &
        ', endpoints ' // text_at(facts%endpoints) // ', progress ' // text_at(facts%progress)
  end function

  ! From now on the calling thread communicates as thread `thread` of this image, 1 to the `threads` of
  ! makespan_begin. The one that called makespan_begin is thread 1. Collective procedures are for
  ! thread 1.
  subroutine use_thread(thread, stat, errmsg)
    integer, intent(in) :: thread
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: job

    if (.not. job_thread('use_thread', thread, job, stat, errmsg)) return
    call conclude(c_use_endpoint(runtime, job), stat, errmsg)
  end subroutine

  ! One round of moving messages and serving others: for programs that compute in mode manual.
  subroutine progress(stat, errmsg)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: happened

    if (.not. is_in_job('progress', stat, errmsg)) return
    call conclude(c_progress(c_here(), happened), stat, errmsg)
  end subroutine

  ! ---- images

  ! This image among those of the current team, or of `team`. 0 before makespan_begin and after
  ! makespan_end.
  pure integer function image_here(team)
    type(image_team), intent(in), optional :: team

    image_here = open_teams(depth)%rank
    if (present(team)) image_here = team%rank
  end function

  ! How many images the current team has, or `team`. 0 before makespan_begin and after makespan_end.
  pure integer function images_there_are(team)
    type(image_team), intent(in), optional :: team

    images_there_are = 0
    if (present(team)) then
      if (allocated(team%members)) images_there_are = size(team%members)
    else
      if (allocated(open_teams(depth)%members)) images_there_are = size(open_teams(depth)%members)
    end if
  end function

  ! The image of the job, from 0, that is `image` of the current team. False if there is none; then stat
  ! and errmsg are as they should be, or the program has ended.
  logical function job_image(procedure_name, image, job, stat, errmsg)
    character(*), intent(in) :: procedure_name
    integer, intent(in) :: image
    integer(c_int32_t), intent(out) :: job
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    job_image = .false.
    job = -1
    if (.not. is_in_job(procedure_name, stat, errmsg)) return
    if (image < 1 .or. image > num_images()) then
      call refuse(procedure_name // ' with image ' // text_of(image), 'the current team has ' // &
          text_of(num_images()) // ' images', 'images are 1 to ' // text_of(num_images()), &
          stat, errmsg)
    else
      job = open_teams(depth)%members(image)
      job_image = .true.
    end if
  end function

  ! False once it died, or fell silent.
  logical function is_alive(image)
    integer, intent(in) :: image
    integer(c_int32_t) :: job, alive

    is_alive = .false.
    if (.not. job_image('is_alive', image, job)) return
    call conclude(c_is_alive(runtime, job, alive))
    is_alive = alive == 1
  end function

  ! Those of the current team that are lost, ascending.
  function failed_images() result(failed)
    integer, allocatable :: failed(:)
    integer :: image

    failed = pack([(image, image=1, num_images())], &
        [(.not. is_alive(image), image=1, num_images())])
  end function

  ! Why an image is lost; empty while it is not.
  function loss_of(image) result(why)
    integer, intent(in) :: image
    character(:), allocatable :: why
    integer(c_int32_t) :: job
    type(c_ptr) :: text

    why = ''
    if (.not. job_image('loss_of', image, job)) return
    call conclude(c_loss_of(runtime, job, text))
    why = text_at(text)
  end function

  ! From now on, waits that name no image (events, sync_memory, and a post, which does what sync_memory
  ! does) go on without this image.
  subroutine accept_loss(image, stat, errmsg)
    integer, intent(in) :: image
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: job

    if (.not. job_image('accept_loss', image, job, stat, errmsg)) return
    call conclude(c_accept_loss(runtime, job), stat, errmsg)
  end subroutine

  ! ---- teams

  ! All images of the current team call it. Those that give the same `number` (at least 1) become a team,
  ! in the order of `new_index`, and then of their images here.
  subroutine form_team(number, team, new_index, stat, errmsg)
    integer, intent(in) :: number
    type(image_team), intent(out) :: team
    integer, intent(in), optional :: new_index
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: key, color
    integer(c_int) :: status

    if (.not. is_in_job('form_team', stat, errmsg)) return
    key = 0
    if (present(new_index)) key = int(new_index, c_int32_t)
    ! A number that is none takes part with no color: the others must not wait for this image.
    color = -1
    if (number >= 1) color = int(number, c_int32_t)
    status = c_team_split_all(current_team(), color, key, team%handle)
    if (status == makespan_ok .and. number < 1) then
      call refuse('form_team with team number ' // text_of(number), 'team numbers are positive', &
          'give 1 or more', stat, errmsg)
      return
    end if
    team%number = number
    if (status == makespan_ok) call fill_in(team, status)
    call conclude(status, stat, errmsg)
  end subroutine

  subroutine fill_in(team, status)
    type(image_team), intent(inout) :: team
    integer(c_int), intent(out) :: status
    integer :: image

    status = makespan_ok
    team%rank = int(c_team_rank(team%handle)) + 1
    if (allocated(team%members)) deallocate (team%members)
    allocate (team%members(c_team_size(team%handle)))
    do image = 1, size(team%members)
      if (status == makespan_ok) then
        status = c_team_member(team%handle, int(image - 1, c_int32_t), team%members(image))
      end if
    end do
  end subroutine

  ! All images of `team` call it: until end_team, image numbers and collective procedures are those of
  ! `team`.
  subroutine change_team(team, stat, errmsg)
    type(image_team), intent(in) :: team
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status

    if (.not. is_in_job('change_team', stat, errmsg)) return
    if (depth == depth_max) then
      call refuse('change_team', 'it is the ' // text_of(depth_max + 1) // &
          'th inside another', 'leave teams by end_team', stat, errmsg)
      return
    end if
    status = settle(team%handle)
    if (status == makespan_ok) then
      depth = depth + 1
      open_teams(depth) = team
    end if
    call conclude(status, stat, errmsg)
  end subroutine

  ! All images of the current team call it: back to the team before change_team.
  subroutine end_team(stat, errmsg)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status

    if (depth == 0) then
      call refuse('end_team', 'the current team is the initial one', &
          'call it once for each change_team', stat, errmsg)
      return
    end if
    status = settle(open_teams(depth)%handle)
    ! Also when an image is lost: there is no way on but out.
    depth = depth - 1
    call conclude(status, stat, errmsg)
  end subroutine

  ! All images of `team` call it: it is not used any more. Not of a team that is left by end_team later.
  subroutine free_team(team, stat, errmsg)
    type(image_team), intent(inout) :: team
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int) :: status
    integer :: level

    if (.not. is_in_job('free_team', stat, errmsg)) return
    do level = 1, depth
      if (.not. c_associated(open_teams(level)%handle, team%handle)) cycle
      call refuse('free_team', 'the program is inside its change_team', 'leave it by end_team before', &
          stat, errmsg)
      return
    end do
    status = c_team_free_all(team%handle)
    if (status == makespan_ok) team = image_team()
    call conclude(status, stat, errmsg)
  end subroutine

  ! As given to form_team; that of the current team without `team`. The initial team is number -1.
  pure integer function team_number(team)
    type(image_team), intent(in), optional :: team

    team_number = open_teams(depth)%number
    if (present(team)) team_number = team%number
  end function

  ! ---- waiting for each other

  ! All images of the current team call it: blocks until all have, and drives progress. What they have
  ! put before can be seen afterwards.
  subroutine sync_all(stat, errmsg)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (.not. is_in_job('sync_all', stat, errmsg)) return
    call conclude(settle(current_team()), stat, errmsg)
  end subroutine

  ! As sync_all, for the images of `team`, this one among them.
  subroutine sync_team(team, stat, errmsg)
    type(image_team), intent(in) :: team
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (.not. is_in_job('sync_team', stat, errmsg)) return
    call conclude(settle(team%handle), stat, errmsg)
  end subroutine

  subroutine sync_images_one(image, stat, errmsg)
    integer, intent(in) :: image
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call sync_images_several([image], stat, errmsg)
  end subroutine

  ! Blocks until each of `images` has called it too, with this image among its own, and drives progress.
  ! An image that is named twice is refused, and this one's own number is passed over. One thread of an
  ! image at a time.
  ! What they have put before can be seen afterwards. A call that ends by a timeout can be tried again:
  ! it goes on with the same meeting.
  subroutine sync_images_several(images, stat, errmsg)
    integer, intent(in) :: images(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: jobs(size(images))
    integer :: i

    if (.not. is_in_job('sync_images', stat, errmsg)) return
    do i = 1, size(images)
      if (.not. job_image('sync_images', images(i), jobs(i), stat, errmsg)) return
    end do
    call conclude(c_sync_images(c_here(), jobs, size(jobs, kind=c_int32_t)), stat, errmsg)
  end subroutine

  ! What this thread has put can be seen on `image`, or, without it, everywhere.
  subroutine sync_memory(image, stat, errmsg)
    integer, intent(in), optional :: image
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: job

    if (.not. is_in_job('sync_memory', stat, errmsg)) return
    if (.not. present(image)) then
      call conclude(c_flush_all(c_here()), stat, errmsg)
    else if (job_image('sync_memory', image, job, stat, errmsg)) then
      call conclude(c_flush(c_here(), job), stat, errmsg)
    end if
  end subroutine

  ! Flushes, and waits for a team.
  integer(c_int) function settle(team)
    type(c_ptr), intent(in) :: team

    settle = c_flush_all(c_here())
    ! A lost image: all others are flushed. Where it is of the team, the barrier says so; else the team
    ! waits for this image.
    if (settle == makespan_ok .or. settle == makespan_image_failed) settle = c_barrier_all(team)
  end function

  ! ---- for the other modules of makespan

  type(c_ptr) function current_team()
    current_team = c_null_ptr
    if (c_associated(runtime)) current_team = open_teams(depth)%handle
  end function

  logical function is_initial_team()
    is_initial_team = depth == 0
  end function

end module makespan_job
